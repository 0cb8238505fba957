"""Pictures of mechanisms: a run's bodies and joints as an engineer draws them, by PyVista.

They need nothing but what a run records for the eye: ``results.motion`` (poses and ``scene.json``)
and the channels; no system is built again.
"""
