import { readFileSync } from 'node:fs'
import module from 'node:module'
import type { CommandContext } from '@vid/command'
import type { VidEvent } from '@vid/protocol'
import { fileShortageText, isFileShortage, isHopeless, openFileLimit } from '@vid/render/open-files'
import { PACKAGE_JSON } from './beside.ts'
import { coreCommands } from './commands.ts'
import { keepChildrenOffStdout, refuseExits, reserveStdout } from './foreign-output.ts'
import { listenForStops, type Stops } from './stops.ts'
import { surfaceWords } from './surfaces/surfaces.ts'

const isKnownWord = (word: string | undefined): word is string =>
  word !== undefined && (Object.hasOwn(coreCommands, word) || Object.hasOwn(surfaceWords, word))

const version = () => {
  const { version } = JSON.parse(readFileSync(PACKAGE_JSON, 'utf8')) as {
    version: string
  }
  return version
}

/** Whether a flag says that events are wanted. */
const isAskedForJson = (argv: readonly string[]): boolean =>
  argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length).includes('--json')

const reportFailure = async (
  thrown: unknown,
  argv: readonly string[],
  context: CommandContext,
  limit: number | undefined,
) => {
  const [{ createReport }, { codedError }, { exitCodeOf, failRender }] = await Promise.all([
    import('@vid/command/line'),
    import('@vid/render'),
    import('@vid/protocol'),
  ])
  const json = isAskedForJson(argv)
  const coded = codedError(thrown, context.signal, limit)
  const report = createReport({ ...context, json, quiet: false })
  const [word] = argv
  const command = isKnownWord(word) ? word : 'render'
  const isOther = context.signal.aborted && coded.code === 'VID_CANCELLED' && command !== 'render'
  const error = isOther ? failRender('VID_CANCELLED', { what: `"vid ${command}"` }, { cause: coded }) : coded
  report.event({ type: `${command}-error`, error: error.toJSON() } as VidEvent)
  report.error(error)
  return exitCodeOf(error)
}

/** Says that no more files can be opened, without loading anything. */
const tellShortage = ({ stderr }: Pick<CommandContext, 'stderr'>, limit: number | undefined, reason: string) => {
  const { message, hint } = fileShortageText({ limit, reason })
  stderr.write(`error VID_OPEN_FILES: ${message}\n  hint: ${hint}\n`)
}

/** Says that an error could not be reported, which happens where files of the installation are missing; loads nothing. */
const tellDamage = ({ stderr }: Pick<CommandContext, 'stderr'>, reason: string) =>
  stderr.write(
    `error VID_UNEXPECTED: The command failed, and its error could not be reported: ${reason}\n  hint: Install vid again if a file of it is missing.\n`,
  )

/** Warns of names in `VID_DEBUG` that nothing is printed for; loads what it needs only where the variable is set. */
const checkDebugNames = async (argv: readonly string[], context: CommandContext) => {
  if (!context.env.VID_DEBUG) return
  const [{ DEBUG_TOPICS, unknownDebugNames }, { cliWarning }, { createReport }] = await Promise.all([
    import('@vid/system'),
    import('./warnings.ts'),
    import('@vid/command/line'),
  ])
  const unknown = unknownDebugNames(context.env)
  if (unknown.length === 0) return
  const report = createReport({ ...context, json: isAskedForJson(argv), quiet: false })
  report.warn(cliWarning('VID_DEBUG_UNKNOWN', { unknown, known: DEBUG_TOPICS }))
}

/** Node 20 has no cache of compiled code. */
const { enableCompileCache } = module as { readonly enableCompileCache?: (folder: string) => unknown }

/** Lets Node find compiled code of earlier starts: compiling it is a sixth of what the start of a render costs. */
const reuseCompiledCode = async ({ env }: CommandContext) => {
  if (!enableCompileCache) return
  const { keepCompiledCode } = await import('./compiled-code.ts')
  await keepCompiledCode(env, enableCompileCache)
}

/** Runs one command line and resolves to its exit code; never rejects. */
export const main = async (argv: readonly string[], context: CommandContext): Promise<number> => {
  const [first] = argv
  if (first === '--version' || first === '-v') {
    context.stdout.write(`${version()}\n`)
    return 0
  }
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') {
    const { overview } = await import('./overview.ts')
    context.stdout.write(await overview(context))
    return 0
  }
  // Read while files can still be opened.
  const limit = openFileLimit()
  try {
    await checkDebugNames(argv, context)
    await reuseCompiledCode(context)
    const { runCommandLine } = await import('./run-command-line.ts')
    return await runCommandLine(argv, context)
  } catch (thrown) {
    return reportFailure(thrown, argv, context, limit).catch((again: unknown) => {
      const reason = again instanceof Error ? again.message : String(again)
      if (isFileShortage(again, limit)) tellShortage(context, limit, reason)
      else tellDamage(context, reason)
      return 1
    })
  }
}

const reportUnwritten = async (cause: Error, context: CommandContext) => {
  const [{ createReport }, { fail }] = await Promise.all([import('@vid/command/line'), import('./errors.ts')])
  const error = fail('VID_STDOUT_UNWRITABLE', { reason: cause.message }, { cause })
  createReport({ ...context, json: false, quiet: false }).error(error)
}

/**
 * Keeps foreign code from writing to stdout and from ending the process. A command of the config is foreign itself: it may do
 * both, but to write among events.
 */
const limitForeignCode = (argv: readonly string[], stops: Stops): NodeJS.WriteStream => {
  const isOwn = isKnownWord(argv[0])
  if (isOwn) refuseExits(stops.crash)
  if (!isOwn && !isAskedForJson(argv)) return process.stdout
  // A shell is a child that is the command.
  if (argv[0] !== 'container' || argv[1] !== 'shell') keepChildrenOffStdout()
  // This one takes it for its protocol by itself.
  return argv[0] === 'mcp' ? process.stdout : reserveStdout()
}

/** The exit code of a command that has ended: one that failed where nothing waited for it has not succeeded. */
const finalCode = async (code: number, argv: readonly string[], context: CommandContext, stops: Stops) => {
  const failure = stops.failure()
  return code === 0 && failure ? reportFailure(await failure, argv, context, undefined).catch(() => 1) : code
}

/** Resolves in a later turn of the event loop than that in which all was written. */
const written = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => void stream.write('', () => setImmediate(resolve)))

/** The whole process: signals, a closed stdout, and the exit code. */
export const start = (): void => {
  // The library of AWS would warn of the version of Node; which ones vid runs on, its own package says.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const exit = process.exit
  const argv = process.argv.slice(2)
  const stops = listenForStops(exit)
  const stdout = limitForeignCode(argv, stops)
  let unwritten: Error | undefined
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // A closed stdout does not undo the render.
    if (error.code !== 'EPIPE') unwritten ??= error
  })
  // There is no other place to say it.
  process.stderr.on('error', () => {})
  const context: CommandContext = {
    stdin: process.stdin,
    stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    signal: stops.signal,
    unguarded: stops.unguarded,
  }
  // Until the command settles: a process that exits because nothing is pending has not succeeded.
  process.exitCode = 1
  const limit = openFileLimit()
  const tell = () => {
    // Node forgets a module that waits for a file.
    if (isHopeless(limit)) tellShortage(context, limit, 'a part of vid was never loaded')
    else process.stderr.write('error VID_UNEXPECTED: the command ended without an answer\n')
  }
  process.once('beforeExit', tell)
  void main(argv, context).then(async (code) => {
    process.off('beforeExit', tell)
    let final = code
    // What nothing waits for may fail until the very end.
    do {
      final = await finalCode(final, argv, context, stops)
      await written(stdout)
    } while (final === 0 && stops.failure())
    // Resources that plugins forgot to close must not keep a finished command alive.
    if (final !== 0) exit(stops.exitCode() ?? final)
    if (unwritten !== undefined) await reportUnwritten(unwritten, context).catch(() => {})
    exit(unwritten === undefined ? 0 : 1)
  })
}
