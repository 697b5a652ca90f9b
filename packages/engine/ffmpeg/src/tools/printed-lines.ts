/** What the system lacks when ffmpeg can neither read nor write, though its input may be right. */
export type Lack = 'disk' | 'memory' | 'other'

/** Limits on what is kept: a broken source may make a program print without end. */
const KEPT_LINES = 12
const KEPT_CHARACTERS = 2000

/**
 * A line of ffmpeg's own about an error: the objects that it is about, then the level. Libraries that it loads print
 * lines of theirs between, which have no level and say nothing about the source.
 */
const OWN_ERROR = /^(?:\[[^[\]]* @ [\da-fx]+\] )*\[(?:error|fatal|panic)\] /i

/** Errors of the system, as the end of a line names them; texts of a source may stand before. */
const atEnd = (...errors: readonly string[]): RegExp => new RegExp(`(?:: |-\\d+ \\()(?:${errors.join('|')})\\)?\\.?$`)

/** What lines say that there is too little of, the surest first. */
const LACKS: readonly (readonly [Lack, RegExp])[] = [
  ['disk', atEnd('No space left on device')],
  [
    'other',
    atEnd(
      'Disk quota exceeded',
      'File too large',
      'Read-only file system',
      'Permission denied',
      'No such file or directory',
      'Too many open files(?: in system)?',
      'Resource temporarily unavailable',
    ),
  ],
  ['memory', atEnd('Cannot allocate memory')],
]

const ORDER = LACKS.map(([lack]) => lack)

const lackOf = (line: string): Lack | undefined => {
  const [lack] = LACKS.find(([, pattern]) => pattern.test(line)) ?? []
  // A line that is not ffmpeg's comes from what starts it, which asks for little memory.
  return lack === 'memory' && !OWN_ERROR.test(line) ? 'other' : lack
}

/** A line without ffmpeg's log levels and addresses. */
const plain = (line: string): string => line.replace(/ @ 0x[\da-f]+\]/g, ']').replace(/\[(?:error|fatal|panic)\] /, '')

const inOne = (lines: readonly string[]): string => lines.map(plain).join(' | ').slice(-KEPT_CHARACTERS)

/** The lines that a program prints on stderr, as they arrive. */
export interface PrintedLines {
  add(text: string): void
  /** Takes the last line, which may have no end. */
  end(): void
  /** The end of everything, as it was printed. */
  printed(): string
  /** The last lines in one. */
  tail(): string
  /** The last errors that ffmpeg itself reported in one; empty without any. */
  errors(): string
  /** What the system lacks by what was printed; `memory` only where ffmpeg itself says so and nothing else is short. */
  lack(): Lack | undefined
}

/** Reads what ffmpeg and ffprobe print with `ERRORS_ONLY`. */
export const readPrinted = (): PrintedLines => {
  let text = ''
  let last = ''
  let lacking: Lack | undefined
  let errors: string[] = []
  const take = (line: string) => {
    if (OWN_ERROR.test(line)) errors = [...errors.slice(1 - KEPT_LINES), line]
    lacking = ORDER.find((lack) => lack === lacking || lack === lackOf(line))
  }
  return {
    add(piece) {
      text = (text + piece).slice(-4 * KEPT_CHARACTERS)
      const lines = (last + piece).split(/(?<!\s)\s*[\r\n]\s*/)
      last = (lines.pop() ?? '').slice(-KEPT_CHARACTERS)
      for (const line of lines) take(line)
    },
    end() {
      take(last)
      last = ''
    },
    printed: () => text,
    tail() {
      const lines = text.trim().split(/(?<!\s)\s*[\r\n]\s*/)
      return inOne(lines.slice(-KEPT_LINES))
    },
    errors: () => inOne(errors),
    lack: () => lacking,
  }
}
