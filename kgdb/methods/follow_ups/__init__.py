"""Questions that go on from the last one: *only those directed by X*, *when was he born?*."""

from kgdb.methods.follow_ups.follow_up_answer import AnswerAlone, FollowUpAnswer, answer_follow_up
from kgdb.methods.follow_ups.last_turn import Turn

__all__ = ["AnswerAlone", "FollowUpAnswer", "Turn", "answer_follow_up"]
