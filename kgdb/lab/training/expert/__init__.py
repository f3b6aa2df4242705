"""RefKG's expert (§3.2, A.7): a regression from hidden states to scores of evidence."""

from kgdb.lab.training.expert.card import TrainedExpertReport
from kgdb.lab.training.expert.settings import HIDDEN, RANGES, ExpertTraining
from kgdb.lab.training.expert.training import train_expert

__all__ = ["HIDDEN", "RANGES", "ExpertTraining", "TrainedExpertReport", "train_expert"]
