"""A small medical world in memory, in English and in Chinese, as the graphs of dialogues are."""

from __future__ import annotations

from collections.abc import Mapping

from fakes import MemoryDriver

CLINIC = [
    ("Flu", "has_symptom", "Cough"),
    ("Flu", "has_symptom", "Fever"),
    ("Flu", "has_symptom", "Sharp chest pain"),
    ("Flu", "need_medication", "Oseltamivir (Tamiflu)"),
    ("Flu", "need_medication", "Aspirin"),
    ("Flu", "need_medical_test", "Blood test"),
    ("Asthma", "has_symptom", "Cough"),
    ("Asthma", "need_medication", "Albuterol"),
    ("Asthma", "need_medical_test", "Plain x-ray (X ray)"),
    ("Cough", "possible_disease", "Flu"),
    ("Cough", "possible_disease", "Asthma"),
    ("Fever", "possible_disease", "Flu"),
    ("Sharp chest pain", "possible_disease", "Flu"),
    ("Hypertension", "need_medication", "Aspirin"),
    ("Pulmonary hypertension", "need_medication", "Oxygen"),
]
TEXTS: Mapping[str, Mapping[str, str]] = {
    "has_symptom": {"text": "the symptoms of {}", "inverse": "the diseases with the symptom {}"},
    "need_medication": {"text": "the medication needed for {}"},
    "need_medical_test": {"text": "the medical tests needed for {}"},
    "possible_disease": {"text": "the diseases that {} may be a sign of"},
}
CHINESE = [
    ("感冒", "症状", "咳嗽"),
    ("感冒", "症状", "发烧"),
    ("感冒", "药品", "感冒灵"),
    ("哮喘", "症状", "咳嗽"),
    ("哮喘", "药品", "沙丁胺醇"),
]


def clinic() -> MemoryDriver:
    """The English one."""
    return MemoryDriver(CLINIC, TEXTS)


def chinese_clinic() -> MemoryDriver:
    """The Chinese one, whose first relation has a text."""
    return MemoryDriver(CHINESE, {"症状": {"text": "{}的症状", "inverse": "有{}症状的疾病"}})
