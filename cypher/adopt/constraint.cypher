CREATE CONSTRAINT `%constraint%` IF NOT EXISTS FOR (e:`%label%`) REQUIRE e.`%id%` IS UNIQUE
