"""What importing loads."""
