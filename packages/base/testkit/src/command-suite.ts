import type { AnyCommand, Example, OptionTable } from '@vid/command'
import { describe, expect, test } from 'vitest'
import { runInFolder } from './run-command.ts'
import { allowTime } from './suite.ts'

const NAME = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/

/** The words of an example after those of the command: without variables before it, and what a shell adds after it. */
const wordsOf = (line: string, path: string): readonly string[] => {
  const [, rest = ''] = line.split(`vid ${path}`)
  const [shown = ''] = rest.split(/\s[<>|]/)
  return [...shown.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  )
}

/** Tests a command against its contract: what its flags, help and examples are made from. */
export const commandSuite = (command: AnyCommand) => {
  const { path, summary } = command
  const options: OptionTable = command.options
  const examples: readonly Example[] = command.examples ?? []
  /** The command, without its work. */
  const idle: AnyCommand = { ...command, check: () => [], run: async () => undefined }

  allowTime()
  describe(`the command vid ${path}`, () => {
    test('has lower-case words and a sentence about it', () => {
      for (const word of path.split(' ')) expect(word).toMatch(NAME)
      expect(summary).toMatch(/^[A-Z][^\n]*\.$/)
    })

    test('has options with a name, a text and a rule each, none of which is taken', () => {
      for (const [name, option] of Object.entries(options)) {
        expect(name).toMatch(NAME)
        expect(name).not.toBe('help')
        expect(option.about, name).toMatch(/\S[^.]$/)
        if (option.kind === 'text') expect(option.rule, name).toMatch(/\S/)
      }
      const shorts = Object.values(options).flatMap(({ short }) => short ?? [])
      expect([...new Set(shorts)]).toEqual(shorts)
    })

    test('has rules about options that it has', () => {
      const pairs: readonly (readonly string[])[] = [...(command.conflicts ?? []), ...(command.needs ?? [])]
      expect(pairs.flat().filter((name) => !Object.hasOwn(options, name))).toEqual([])
    })

    test('understands its examples', async () => {
      for (const [about, line] of examples) {
        expect(line, about).toContain(`vid ${path}`)
        const { code, stderr } = await runInFolder(idle, process.cwd(), ...wordsOf(line, path))
        expect([code, stderr], line).toEqual([0, ''])
      }
    })
  })
}
