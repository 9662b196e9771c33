CREATE TABLE `active_link_days` (
	`workspace_id` integer NOT NULL,
	`day` integer NOT NULL,
	`active_links` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `day`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "active_link_days_count" CHECK("active_links" >= 0)
);
--> statement-breakpoint
CREATE INDEX `active_link_days_day` ON `active_link_days` (`day`);