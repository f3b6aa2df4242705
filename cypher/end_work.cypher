// Ends the transactions of work that was called off.
SHOW TRANSACTIONS YIELD transactionId AS id, metaData
WHERE metaData.kgdb_work = $key
TERMINATE TRANSACTIONS id YIELD transactionId, message
RETURN count(*) AS ended
