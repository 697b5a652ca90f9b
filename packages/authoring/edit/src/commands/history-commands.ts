import { type AnyCommand, defineCommand, type OptionTable } from '@vid/command'
import type { EditEntry } from '../events.ts'
import { editPlaceOptions } from './options.ts'

const travelText = async (what: string, entry: EditEntry | null, undoable: number, redoable: number) => {
  if (entry === null) return { lines: [], after: 'what you staged last in the open preview is dropped' }
  const { entryText } = await import('./edit-text.ts')
  return { lines: [...entryText(entry)], after: `${what}; ${undoable} to undo, ${redoable} to redo` }
}

const undoCommand = defineCommand({
  path: 'edit undo',
  summary: 'Take the last edit back, whoever made it.',
  details: 'What other programs have changed in its files since stays, where that is elsewhere in the text.',
  options: editPlaceOptions,
  examples: [['The last edit of this folder', 'vid edit undo']],
  tool: { title: 'Take the last edit back', effect: 'changes', author: 'as' },
  run: async (run) => {
    const { editorOf, openForEdit } = await import('./open-composition.ts')
    const { edit, preview } = await openForEdit(run)
    const who = editorOf(run.options)
    const isDropped = (await preview?.undo(edit.entry, who)) === true
    const entry = isDropped ? null : await edit.undo(who)
    return { entry, ...(await edit.position()) }
  },
  text: ({ entry, undoable, redoable }) => travelText('undone', entry, undoable, redoable),
})

const redoCommand = defineCommand({
  path: 'edit redo',
  summary: 'Make the last undone edit again.',
  options: editPlaceOptions,
  examples: [['What vid edit undo took back', 'vid edit redo']],
  tool: { title: 'Make an undone edit again', effect: 'changes', author: 'as' },
  run: async (run) => {
    const { editorOf, openForEdit } = await import('./open-composition.ts')
    const { edit } = await openForEdit(run)
    const entry = await edit.redo(editorOf(run.options))
    return { entry, ...(await edit.position()) }
  },
  text: ({ entry, undoable, redoable }) => travelText('made again', entry, undoable, redoable),
})

const logOptions = {
  number: { kind: 'integer', min: 1, max: 200, short: 'n', about: 'entries to show', default: '20' },
  ...editPlaceOptions,
} as const satisfies OptionTable

const logCommand = defineCommand({
  path: 'edit log',
  summary: 'List the edits of a project, the newest first.',
  options: logOptions,
  examples: [['The last five', 'vid edit log -n 5']],
  tool: { title: 'List the edits of a project', effect: 'reads', without: ['as'], lists: ['entries'] },
  run: async (run) => {
    const { openAlone } = await import('./open-composition.ts')
    const { edit } = await openAlone(run)
    return { entries: (await edit.log()).slice(0, run.options.number ?? 20) }
  },
  text: async ({ entries }) => {
    const { entryText } = await import('./edit-text.ts')
    return { lines: entries.flatMap(entryText), ...(entries.length === 0 && { after: 'no edits yet' }) }
  },
})

/** The commands about written edits. */
export const historyCommands: readonly AnyCommand[] = [undoCommand, redoCommand, logCommand]
