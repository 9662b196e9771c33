-- The index of `q`: trigrams of what a link is found by. It holds no texts of its own and can be dropped and built again.
CREATE VIRTUAL TABLE `link_search` USING fts5(slug, title, destination, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');--> statement-breakpoint
INSERT INTO `link_search` (`rowid`, `slug`, `title`, `destination`)
	SELECT (`workspace_id` << 33) + (`archived` << 32) + `id`, `slug_key`, `title_key`, `destination_key` FROM `links` WHERE `deleted_at` IS NULL;
