any(x IN CASE WHEN r.`%property%` IS :: LIST<ANY> NOT NULL THEN r.`%property%` ELSE [r.`%property%`] END WHERE
    `%tests%`)
