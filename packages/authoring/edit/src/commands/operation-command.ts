import {
  type AnyCommand,
  type Argument,
  type CommandRun,
  type CommandTool,
  defineCommand,
  type Example,
  type OptionTable,
} from '@vid/command'
import type { EditSession } from '../session/session.ts'
import { editOptions } from './options.ts'

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
      const [{ editorOf, namedFrom, openForEdit }, { withFiles }] = await Promise.all([
        import('./open-composition.ts'),
        import('../operations/with-files.ts'),
      ])
      const opened = await openForEdit({ ...run, options: values }, values.composition)
      const { edit, preview, fileOf } = opened
      const isDry = values['dry-run'] === true
      const list = withFiles(await operations(line, namedFrom(opened)), fileOf)
      const who = editorOf(values)
      if (preview && !isDry) {
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
