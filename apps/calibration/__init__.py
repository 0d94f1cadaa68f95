"""What vectors are worth beside words: labelled questions asked through recall, once at each weight."""
