import type { EventSchemas, Spelling, VidError } from '@vid/protocol'
import type { CommandContext } from '../context.ts'
import type { OptionTable, OptionValues, PathUse } from '../options/option.ts'
import type { WrittenOptions } from '../options/parse-options.ts'
import type { Paint } from '../report/paint.ts'
import type { Progress } from '../report/progress.ts'
import type { Report } from '../report/report.ts'

/** A word after the command, such as `dir` of `vid render [dir]`. */
export interface Argument {
  readonly name: string
  /** Whether it may be left out; it is then undefined. */
  readonly isOptional?: true
  /** What it is where it is left out. */
  readonly default?: string
  /** Whether it stands for all words that follow. */
  readonly isRest?: true
  /** What is done with the file or folder that it names. */
  readonly path?: PathUse
}

type ArgumentValue<A extends Argument> = A extends { readonly isRest: true }
  ? readonly string[]
  : A extends { readonly isOptional: true }
    ? string | undefined
    : string

/** The arguments of a command, by name. */
export type ArgumentValues<A extends readonly Argument[]> = {
  readonly [One in A[number] as One['name']]: ArgumentValue<One>
}

/** What a command works with: what was asked, and whom to tell what happens. */
export interface CommandRun<O extends OptionTable = OptionTable, V = object> extends Omit<CommandContext, 'stdout'> {
  /** The words after the command, by name. */
  readonly arguments: V
  /** The values of the options that were given. */
  readonly options: OptionValues<O>
  /** The options as they were written. */
  readonly written: WrittenOptions
  /** The object of `--variables` or `--variables-file`, where the command has these options and one is given. */
  readonly variables: Readonly<Record<string, unknown>> | undefined
  /** How settings are written on the command line, for messages. */
  readonly spelling: Spelling
  /** Told what happens meanwhile. */
  readonly report: Report
  /** Shows how far the work is: on a terminal, as lines of a log, or not at all. */
  readonly progress: Progress
  /** Colours of stdout, for results that are reported as they are made. */
  readonly paint: Paint
  /** Whether events are wanted in place of text. */
  readonly json: boolean
}

/** A text in lines. */
export type Lines = string | readonly string[]

/** What a person reads of a result. */
export interface ResultText {
  /** The result itself, on stdout. */
  readonly lines: Lines
  /** On stderr, before it. */
  readonly before?: Lines
  /** On stderr, after it. */
  readonly after?: Lines
}

/** What a text is written for. */
export interface ResultView<
  O extends OptionTable = OptionTable,
  V = Readonly<Record<string, string | readonly string[] | undefined>>,
> {
  /** The words after the command, by name. */
  readonly arguments: V
  /** The values of the options that were given. */
  readonly options: OptionValues<O>
  /** Colours of stdout. */
  readonly paint: Paint
  /** Absolute; paths below it are written from there. */
  readonly cwd: string
  /** Whether errors alone are wanted. */
  readonly quiet: boolean
  /** Whether a coding assistant reads it, which calls tools with data and types no command lines. */
  readonly isForAssistant: boolean
}

/** How a coding assistant uses a command as a tool; its arguments, its answer and its words come from the command. */
export interface CommandTool<O extends OptionTable = OptionTable, R = unknown> {
  /** The path with underscores where it is left out. */
  readonly name?: string
  /** Such as `Check a composition`. */
  readonly title: string
  /** `reads` writes nothing but pictures and videos; `changes` changes the project in a way that can be undone. */
  readonly effect: 'reads' | 'changes'
  /** Arguments and options that the tool has not. */
  readonly without?: readonly string[]
  /** Options that an answer is made with where a call sets none. */
  readonly defaults?: Readonly<Partial<Record<keyof O & string, string | boolean>>>
  /** Option that gets the name of the assistant. */
  readonly author?: keyof O & string
  /** Fields of the result that are lists: an answer shows a page of them. */
  readonly lists?: readonly string[]
  /** Paths of the pictures that a result is about. */
  pictures?(result: Exclude<R, undefined>): readonly string[]
  /** What has changed since the last answer to the same call, in words. */
  changes?(before: Exclude<R, undefined>, after: Exclude<R, undefined>): Lines | Promise<Lines>
  /** Pages in Markdown that explain the codes of its findings, by code. */
  pages?(): Promise<Readonly<Record<string, string>>>
  /** Whether it may take minutes, so that a client may want to fetch its answer later. */
  readonly isLong?: true
}

/** An example: what it does, and the line to type. */
export type Example = readonly [about: string, line: string]

/**
 * One command, as data: its flags, help, completion, `--json` and exit codes come from it. What only a run needs is imported
 * by `run`, so that a command which is not used costs nothing.
 */
export interface Command<
  O extends OptionTable = OptionTable,
  A extends readonly Argument[] = readonly Argument[],
  R = unknown,
> {
  /** The words after `vid`, such as `lambda deploy`. */
  readonly path: string
  /** The package that brings it, as `vid --help` names it; left out by those of vid. */
  readonly package?: string
  /** A sentence about it. */
  readonly summary: string
  /** What else `--help` says. */
  readonly details?: string
  readonly arguments?: A
  readonly options: O
  /** Pairs of options that contradict each other. */
  readonly conflicts?: readonly (readonly [keyof O & string, keyof O & string])[]
  /** Options, each with the one it belongs to. */
  readonly needs?: readonly (readonly [keyof O & string, keyof O & string])[]
  readonly examples?: readonly Example[]
  /** The type of the event that `--json` prints of a result; by default the path with hyphens. */
  readonly event?: string
  /** The schemas of the events of its package, where they are not those of every installation. */
  readonly events?: EventSchemas
  /** What else is wrong with what was asked; reported together with all that is wrong with single options. */
  check?(line: {
    readonly arguments: ArgumentValues<A>
    readonly options: OptionValues<O>
  }): readonly VidError[] | Promise<readonly VidError[]>
  /** Does the work, and returns the result as data. What it reports meanwhile are events; it prints nothing. */
  run(run: CommandRun<O, ArgumentValues<A>>): Promise<R>
  /** The text of a result; left out where a run has reported all of it. */
  text?(
    result: Exclude<R, undefined>,
    view: ResultView<O, ArgumentValues<A>>,
  ): Lines | ResultText | Promise<Lines | ResultText>
  /** What `--json` prints of a result where that is not an event. */
  json?(result: Exclude<R, undefined>): unknown
  /** The exit code of a result; left out, it is 0. */
  exitCode?(result: Exclude<R, undefined>): number
  /** Left out where the command is no tool for assistants. */
  readonly tool?: CommandTool<O, R>
}

/** A command of any kind. */
// biome-ignore lint/suspicious/noExplicitAny: a command takes its own options only
export type AnyCommand = Command<any, any, any>

/** Types a command. */
export const defineCommand = <const O extends OptionTable, R, const A extends readonly Argument[] = readonly []>(
  command: Command<O, A, R>,
): Command<O, A, R> => command

/** The commands of a package, each with the schemas of its events. */
export const commandsWith = (events: EventSchemas, commands: readonly AnyCommand[]): readonly AnyCommand[] =>
  commands.map((command) => ({ ...command, events }))
