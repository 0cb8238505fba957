"""Pictures of mechanisms: a run's bodies and joints as an engineer draws them, by PyVista.

They need only what a run records for pictures, ``results.motion`` (poses and ``scene.json``), and
the channels; no system is built again.
"""
