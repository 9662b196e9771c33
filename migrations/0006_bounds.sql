CREATE TABLE `member_removals` (
	`workspace_id` integer NOT NULL,
	`email` text NOT NULL,
	`removed_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `email`),
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `click_days` ADD `folded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `click_days_unfolded` ON `click_days` (`day`) WHERE folded = 0;--> statement-breakpoint
ALTER TABLE `click_hours` ADD `folded` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `click_hours_unfolded` ON `click_hours` (`hour`) WHERE folded = 0;--> statement-breakpoint
ALTER TABLE `slugs` ADD `taken_down_at` integer;--> statement-breakpoint
CREATE INDEX `slugs_workspace_push` ON `slugs` (`workspace_id`,`push_at`,`key`) WHERE push_at is not null;--> statement-breakpoint
ALTER TABLE `workspaces` ADD `slug_claims` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `activity_group_items_links` ON `activity_group_items` (`workspace_id`,`link_id`);--> statement-breakpoint
CREATE INDEX `link_totals_empty` ON `link_totals` (`kind`) WHERE active = 0 and archived = 0;--> statement-breakpoint
CREATE INDEX `links_deleted` ON `links` (`deleted_at`) WHERE deleted_at is not null;--> statement-breakpoint
CREATE INDEX `sessions_expires` ON `sessions` (`expires_at`);--> statement-breakpoint
CREATE INDEX `sign_in_links_expires` ON `sign_in_links` (`expires_at`);--> statement-breakpoint
UPDATE `workspaces` SET `slug_claims` = (SELECT count(*) FROM `slugs` WHERE `slugs`.`workspace_id` = `workspaces`.`id`);--> statement-breakpoint
UPDATE `slugs` SET `taken_down_at` = (SELECT `taken_down_at` FROM `links` WHERE `links`.`id` = `slugs`.`link_id`)
	WHERE `link_id` IN (SELECT `id` FROM `links` WHERE `taken_down_by` = 'operator');--> statement-breakpoint
UPDATE `slugs` SET `taken_down_at` = `gone`.`at`
	FROM (SELECT `owner`, `gone_key`, max(`at`) AS `at` FROM (
		SELECT `workspace_id` AS `owner`, `slug_key` AS `gone_key`, `taken_down_at` AS `at` FROM `links`
			WHERE `taken_down_by` = 'operator' AND `deleted_at` IS NOT NULL
		UNION ALL SELECT `links`.`workspace_id`, lower(`audit_log`.`before` ->> 'slug'), `links`.`taken_down_at`
			FROM `links` CROSS JOIN `audit_log`
			WHERE `links`.`taken_down_by` = 'operator' AND `links`.`deleted_at` IS NOT NULL AND `audit_log`.`before` IS NOT NULL
				AND `audit_log`.`workspace_id` = `links`.`workspace_id` AND `audit_log`.`subject` = `links`.`public_id`)
		GROUP BY `owner`, `gone_key`) AS `gone`
	WHERE `slugs`.`key` = `gone`.`gone_key` AND `slugs`.`workspace_id` = `gone`.`owner` AND `slugs`.`link_id` IS NULL;
