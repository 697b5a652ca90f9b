import {
  type AnyCommand,
  type Argument,
  type CommandRun,
  type CommandTool,
  defineCommand,
  type Example,
  type OptionTable,
} from '@vid/command'
import type { Editor } from '@vid/kernel'
import type { PreviewLink } from '../open-preview/preview-link.ts'
import type { EditSession } from '../session/session.ts'
import { editOptions, type placeOptions } from './options.ts'

/** Who edits by a command line. */
export const editorOf = ({ as }: { readonly as?: string | undefined }): Editor =>
  as === undefined ? { kind: 'command', name: 'vid edit' } : { kind: 'assistant', name: as }

/** The words and options of a command line about an operation. */
export type OperationRun<O extends OptionTable> = CommandRun<O & typeof editOptions, Readonly<Record<string, string>>>

/** One command of `vid edit`, as data. */
export interface OperationCommand<O extends OptionTable> {
  readonly name: string
  readonly summary: string
  readonly details?: string
  readonly arguments: readonly Argument[]
  readonly options?: O
  readonly conflicts?: readonly (readonly [string, string])[]
  readonly examples: readonly Example[]
  readonly tool?: Omit<CommandTool, 'pictures' | 'changes'>
  /** The operations that a line asks for. */
  operations(run: OperationRun<O>, edit: EditSession): Promise<readonly unknown[]>
}

/** Opens the folder that a command line is about. */
export const openFor = async (
  { cwd, signal, options }: Pick<CommandRun<typeof placeOptions>, 'cwd' | 'signal' | 'options'>,
  entry?: string,
): Promise<EditSession> => {
  const [{ resolve }, { openEdit }] = await Promise.all([import('node:path'), import('../session/session.ts')])
  return openEdit(resolve(cwd, options.dir ?? '.'), { signal, ...(entry !== undefined && { entry }) })
}

/** The preview in which the edits of an assistant are staged, for a person to write or drop; undefined where none is open. */
export const openPreviewOf = async (
  { projectDir }: Pick<EditSession, 'projectDir'>,
  signal: AbortSignal,
): Promise<PreviewLink | undefined> => {
  const { openPreviewLink } = await import('../open-preview/preview-link.ts')
  return openPreviewLink(projectDir, signal)
}

/** A command that stages operations, shows what they change, and writes it. */
export const operationCommand = <const O extends OptionTable>(command: OperationCommand<O>): AnyCommand => {
  const { name, operations, options, conflicts, ...rest } = command
  return defineCommand({
    ...rest,
    path: `edit ${name}`,
    options: { ...options, ...editOptions } as O & typeof editOptions,
    ...(conflicts && { conflicts: conflicts as never }),
    event: 'edit',
    run: async (run) => {
      const line = run as unknown as OperationRun<O>
      const values = line.options as CommandRun<typeof editOptions>['options']
      const edit = await openFor({ cwd: run.cwd, signal: run.signal, options: values }, values.composition)
      const isDry = values['dry-run'] === true
      const list = await operations(line, edit)
      const who = editorOf(values)
      const preview = who.kind === 'assistant' && !isDry ? await openPreviewOf(edit, run.signal) : undefined
      if (preview) {
        const { receipt, diff } = await preview.stage(edit.entry, list, who)
        return { ...receipt, diff, entry: null, staged: receipt.files.length > 0 }
      }
      const receipt = await edit.stage(list, { who })
      const diff = edit.diff()
      const isWritten = !isDry && receipt.files.length > 0
      return { ...receipt, diff, entry: isWritten ? await edit.write() : null, staged: false }
    },
    text: async (result, view) => (await import('./edit-text.ts')).editText(result, view),
  })
}
