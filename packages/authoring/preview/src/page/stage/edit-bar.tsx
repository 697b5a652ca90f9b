import { discard, isEditing } from '../edit/edit-session.ts'
import { CommandButton } from '../parts/icon-button.tsx'
import { COMMANDS } from '../state/commands.ts'
import { edit } from '../state/staged.ts'
import { panel } from '../state/view.ts'

const textOf = (changes: number) => `${changes === 0 ? 'No' : changes} ${changes === 1 ? 'change' : 'changes'}`

/** What is staged, and what becomes of it. */
export const EditBar = () => {
  const { changes = 0, conflict = null, undo = null, redo = null } = edit.value ?? {}
  const isBusy = isEditing.value
  return (
    <div class="edit-bar" role="toolbar" aria-label="Changes" aria-busy={isBusy}>
      <CommandButton command="undo" name="Undo" icon="undo" isOff={undo === null || conflict !== null} />
      <CommandButton command="redo" name="Redo" icon="redo" isOff={redo === null || conflict !== null} />
      <button
        type="button"
        class={`button small staged${conflict ? ' conflict' : changes > 0 ? ' some' : ''}`}
        title="Shows what is staged"
        onClick={() => {
          panel.value = 'changes'
        }}
      >
        {conflict ? 'Conflict' : textOf(changes)}
      </button>
      <button type="button" class="button small" disabled={changes === 0} onClick={() => void discard()}>
        Discard
      </button>
      <button
        type="button"
        class="button small primary"
        title="Write the staged changes into the files (Ctrl + S)"
        disabled={changes === 0 || conflict !== null}
        onClick={COMMANDS.write}
      >
        Write
      </button>
    </div>
  )
}
