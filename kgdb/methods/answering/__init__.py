"""From evidence to answers: answer slots, their extraction, completion and preference."""
