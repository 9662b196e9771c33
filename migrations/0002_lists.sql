CREATE TABLE `link_totals` (
	`workspace_id` integer NOT NULL,
	`kind` text NOT NULL,
	`key` text NOT NULL,
	`active` integer NOT NULL,
	`archived` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `kind`, `key`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "link_totals_kind" CHECK("kind" in ('tag', 'group', 'channel')),
	CONSTRAINT "link_totals_counts" CHECK("active" >= 0 and "archived" >= 0)
);
--> statement-breakpoint
DROP INDEX `link_tags_tag`;--> statement-breakpoint
ALTER TABLE `link_tags` ADD `link_archived` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `link_tags` ADD `link_public_id` text DEFAULT '' NOT NULL;--> statement-breakpoint
CREATE INDEX `link_tags_list` ON `link_tags` (`workspace_id`,`tag_id`,`link_archived`,`link_public_id`);--> statement-breakpoint
DROP INDEX `links_workspace_created`;--> statement-breakpoint
DROP INDEX `links_workspace_group`;--> statement-breakpoint
ALTER TABLE `links` ADD `archived` integer GENERATED ALWAYS AS (archived_at is not null) VIRTUAL;--> statement-breakpoint
ALTER TABLE `links` ADD `untitled` integer GENERATED ALWAYS AS (title_key is null) VIRTUAL;--> statement-breakpoint
CREATE INDEX `links_list_all` ON `links` (`workspace_id`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_list_created` ON `links` (`workspace_id`,`archived`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_list_updated` ON `links` (`workspace_id`,`archived`,`updated_at`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_list_slug` ON `links` (`workspace_id`,`archived`,`slug_key`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_list_title` ON `links` (`workspace_id`,`archived`,`untitled`,`title_key`,`public_id`) WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX `links_list_group` ON `links` (`workspace_id`,`activity_group_id`,`archived`,`public_id`) WHERE deleted_at is null and activity_group_id is not null;--> statement-breakpoint
CREATE INDEX `links_list_channel` ON `links` (`workspace_id`,`channel`,`archived`,`public_id`) WHERE deleted_at is null and channel is not null;--> statement-breakpoint
UPDATE `link_tags` SET (`link_archived`, `link_public_id`) = (SELECT `archived`, `public_id` FROM `links` WHERE `links`.`id` = `link_tags`.`link_id`);--> statement-breakpoint
INSERT INTO `link_totals` (`workspace_id`, `kind`, `key`, `active`, `archived`)
	SELECT `workspace_id`, 'tag', `tag_id`, sum(1 - `link_archived`), sum(`link_archived`) FROM `link_tags` GROUP BY `workspace_id`, `tag_id`
	UNION ALL SELECT `workspace_id`, 'group', `activity_group_id`, sum(1 - `archived`), sum(`archived`) FROM `links` WHERE `deleted_at` IS NULL AND `activity_group_id` IS NOT NULL GROUP BY `workspace_id`, `activity_group_id`
	UNION ALL SELECT `workspace_id`, 'channel', `channel`, sum(1 - `archived`), sum(`archived`) FROM `links` WHERE `deleted_at` IS NULL AND `channel` IS NOT NULL GROUP BY `workspace_id`, `channel`;
