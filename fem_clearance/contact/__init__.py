"""Contact: normal-force laws, friction laws, and clearance joints that use them."""
