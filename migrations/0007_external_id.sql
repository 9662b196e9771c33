ALTER TABLE `links` ADD `external_id` text;--> statement-breakpoint
CREATE UNIQUE INDEX `links_workspace_external_id` ON `links` (`workspace_id`,`external_id`) WHERE deleted_at is null and external_id is not null;--> statement-breakpoint
CREATE INDEX `links_list_external_id` ON `links` (`workspace_id`,`archived`,`external_id`,`public_id`) WHERE deleted_at is null and external_id is not null;