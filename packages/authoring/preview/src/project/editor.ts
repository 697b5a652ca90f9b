import { spawn } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { basename, delimiter, join } from 'node:path'
import { describeCause } from '@vid/protocol'
import { fail } from '../errors.ts'

/** A program that opens files. */
interface Editor {
  readonly name: string
  readonly program: string
  /** Words between the program and the file. */
  readonly args: readonly string[]
}

/** Editors that take a place as `file:line` after a flag. */
const GOTO: Readonly<Record<string, readonly string[]>> = {
  code: ['-g'],
  'code-insiders': ['-g'],
  codium: ['-g'],
  cursor: ['-g'],
  windsurf: ['-g'],
}

/** Editors that take `file:line` as it is, and those that take `+line file`. */
const COLON: ReadonlySet<string> = new Set(['subl', 'zed', 'atom'])
const PLUS: ReadonlySet<string> = new Set(['gvim', 'emacs', 'emacsclient', 'kate', 'gedit'])

/** Editors that need a terminal of their own, which a preview has none of. */
const IN_TERMINAL: ReadonlySet<string> = new Set('vi vim nvim nano pico micro hx helix kak ed joe ne mcedit'.split(' '))

const isThere = async (program: string, { PATH = '' }: NodeJS.ProcessEnv): Promise<boolean> => {
  const places = PATH.split(delimiter)
    .filter(Boolean)
    .map((folder) => join(folder, program))
  const results = await Promise.allSettled(places.map((path) => access(path, constants.X_OK)))
  return results.some(({ status }) => status === 'fulfilled')
}

/** The editor of the user that opens a window: of VISUAL, EDITOR, or `code` where it is installed. */
export const findTextEditor = async (env: NodeJS.ProcessEnv): Promise<Editor | undefined> => {
  const installed = (await isThere('code', env)) ? 'code' : ''
  const commands = [env.VISUAL, env.EDITOR, installed].map((command = '') => command.trim().split(/\s+/))
  const [program, ...args] = commands.find(([first = '']) => first && !IN_TERMINAL.has(basename(first))) ?? []
  return program === undefined ? undefined : { name: basename(program), program, args }
}

/** The words that name a place in a file to an editor. */
export const placeArguments = (name: string, file: string, line: number): string[] => {
  const goto = GOTO[name]
  if (goto) return [...goto, `${file}:${line}`]
  if (COLON.has(name)) return [`${file}:${line}`]
  return PLUS.has(name) ? [`+${line}`, file] : [file]
}

/** Opens a file at a line; resolves when the editor has started. It outlives the preview. */
export const openInEditor = async (file: string, line: number, env: NodeJS.ProcessEnv): Promise<void> => {
  const editor = await findTextEditor(env)
  if (!editor) throw fail('VID_PREVIEW_NO_EDITOR', {})
  const { name, program, args } = editor
  const child = spawn(program, [...args, ...placeArguments(name, file, line)], {
    env,
    stdio: 'ignore',
    detached: true,
    windowsHide: true,
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (cause) =>
      reject(fail('VID_PREVIEW_EDITOR', { program, reason: describeCause(cause) }, { cause })),
    )
  })
  child.unref()
}
