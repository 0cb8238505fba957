"""Beams: kinematics, strains and elements, sections, section forces and stresses."""
