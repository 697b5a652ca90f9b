import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Cli } from 'clipanion'
import { expect, test } from 'vitest'
import { type CommandContext, defineCommand } from '../index.ts'
import { commandClass } from './command-class.ts'
import { runLine } from './index.ts'
import { parserTexts } from './parser-texts.ts'

const command = defineCommand({
  path: 'draw',
  summary: 'Draws.',
  arguments: [{ name: 'dir' }],
  options: {
    size: { kind: 'text', about: 'A size.', rule: 'a size' },
    cache: { kind: 'switch', about: 'Keep.' },
  },
  run: async () => {},
})

const context = { stdout: process.stdout, env: {}, cwd: '/' } as unknown as CommandContext

/** A real wrong command line for each text, with what vid says of it. */
const lines: Readonly<Record<keyof typeof parserTexts, readonly (readonly [readonly string[], string])[]>> = {
  unsupportedFlag: [[['draw', 'x', '--siez', '3'], 'has no flag --siez']],
  invalidFlag: [
    [['draw', 'x', '--siez=a"b)'], 'has no flag --siez'],
    [['draw', 'x', '--cache=1'], '--cache takes no value'],
    [['draw', 'x', '--no-cache=1\n'], '--no-cache takes no value'],
    [['draw', 'x', '--=3'], 'has no flag --'],
    [['draw', 'x', '-é'], 'has no flag -é'],
  ],
  surplusArgument: [
    [['draw', 'x', 'y'], '"y" is one word too many'],
    [['draw', 'x', 'a "b") c'], '"a "b") c" is one word too many'],
  ],
  missingArgument: [[['draw', '--size', '3'], 'it needs <dir>']],
  missingValue: [[['draw', 'x', '--size'], '--size needs a value']],
}

/** What the parser says of a command line. */
const reasonOf = (words: readonly string[]): string => {
  const cli = Cli.from([commandClass(command)], { binaryName: 'vid', enableColors: false })
  try {
    cli.process([...words], context as never)
  } catch (thrown) {
    const { candidates, message } = thrown as Error & { candidates?: readonly { reason: string | null }[] }
    return candidates?.find(({ reason }) => reason)?.reason ?? message
  }
  throw new Error('the parser takes it')
}

test.each(Object.entries(lines))('%s is what the parser says, and is put in our words', async (name, wrong) => {
  for (const [words, said] of wrong) {
    expect(reasonOf(words), words.join(' ')).toMatch(parserTexts[name as keyof typeof parserTexts])
    const thrown = await runLine(words, [command], context).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(thrown, words.join(' ')).toMatchObject({ fault: 'caller', message: expect.stringContaining(said) })
  }
})

test('the parser is the very version whose texts are read', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const installed = createRequire(import.meta.url)('clipanion/package.json')
  expect(manifest.dependencies.clipanion).toBe(installed.version)
})
