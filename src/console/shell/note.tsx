import { MAX_NOTE_CHARACTERS } from "../../lib/link-fields";
import { TextArea } from "./post-form";
import { number } from "./text";

/** The field for the note of a link or an Activity Group. */
export const NoteField = () => (
  <TextArea
    name="note"
    label="Note"
    hint={`Plain text for people of the workspace, at most ${number(MAX_NOTE_CHARACTERS)} characters. Visitors, reports and the API do not have it.`}
  />
);
