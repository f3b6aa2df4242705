  RETURN $incoming[batch] AS incoming
