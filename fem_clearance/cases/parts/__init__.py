"""What cases share: parameters, bars, joints, oil films, bearings."""
