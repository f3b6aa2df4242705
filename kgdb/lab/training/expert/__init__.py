"""RefKG's expert (§3.2, A.7): a regression from hidden states to scores of evidence."""

from kgdb.lab.training.expert.expert_card import TrainedExpertReport
from kgdb.lab.training.expert.expert_settings import HIDDEN, RANGES, ExpertTraining
from kgdb.lab.training.expert.expert_training import train_expert

__all__ = ["HIDDEN", "RANGES", "ExpertTraining", "TrainedExpertReport", "train_expert"]
