import { MAX_VISITED_LINKS } from "../../analytics/limits";
import { number } from "../shell/text";

/** Why the figures of tags are not counted. */
export const TOO_MANY_FOR_TAGS = `More than ${number(MAX_VISITED_LINKS)} links of the workspace were visited since this range began, so the figures of tags are not counted. Choose a later start.`;

/** Why the figures of a group's links and channels are not counted. */
export const TOO_MANY_FOR_GROUP = `More than ${number(MAX_VISITED_LINKS)} links of the group were visited since this range began, so its links and channels are not counted. Choose a later start.`;
