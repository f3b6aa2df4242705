// Like load_names, over another property.
CREATE RANGE INDEX `%index%` IF NOT EXISTS FOR (e:`%label%`) ON (e.`%name%`)
