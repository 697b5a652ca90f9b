import { readFileSync } from 'node:fs'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { AnyCommand } from '@vid/command'
import { runLine } from '@vid/command/line'
import { type EventSchemas, eventSchemas } from '@vid/protocol'
import { commandSuite } from '@vid/testkit'
import { expect, test } from 'vitest'
import { addedEvents } from '../../../../../scripts/dev/event-problems.ts'
import { allCommands } from '../find-commands.ts'

const context = {
  stdin: process.stdin,
  stderr: process.stderr,
  env: {},
  cwd: import.meta.dirname,
  signal: new AbortController().signal,
  unguarded: <T>(run: () => Promise<T>) => run(),
}
const commands = await allCommands(context)

for (const command of commands) commandSuite(command)

interface Surface {
  readonly usage: string
  readonly flags: readonly string[]
}

/** Usage and flags of a command, as its help shows them. */
const surfaceOf = async (command: AnyCommand): Promise<Surface> => {
  const stdout = new PassThrough()
  await runLine([...command.path.split(' '), '--help'], [command], { ...context, stdout })
  stdout.end()
  const help = await text(stdout)
  const flags = [...help.matchAll(/^ {2}(?: {4}|(-\w), )--([\w-]+)( <v>)?/gm)]
  return {
    usage: /^usage: (.*)$/m.exec(help)?.[1] ?? '',
    flags: flags.map(([, short, name, value = '']) => `${short ? `${short}, ` : ''}--${name}${value}`).sort(),
  }
}

/** What the commands had when they were classes of one package; a change on purpose is made there too. */
const before: Readonly<Record<string, Surface>> = JSON.parse(
  readFileSync(new URL('../fixtures/commands-before.json', import.meta.url), 'utf8'),
)

test('every command has the arguments and flags that it had', async () => {
  const now = await Promise.all(commands.map(async (command) => [command.path, await surfaceOf(command)] as const))
  expect(Object.fromEntries(now)).toMatchObject(before)
})

const typesOf = (schemas: EventSchemas) => schemas.map(({ properties }) => properties.type.const)

test('commands carry every event that packages add, each with a type of its own', () => {
  const carried = new Set(commands.flatMap(({ events = [] }) => [...events]))
  expect(carried).toEqual(new Set(addedEvents))
  const types = typesOf([...eventSchemas, ...carried])
  // With the id of its render, and without one when none began.
  expect(types.filter((type, index) => types.indexOf(type) !== index)).toEqual(['render-error'])
})

const tools = commands.filter(({ tool }) => tool)

test.each(tools)('the answer of vid $path to an assistant is described', ({ path, event, events = [] }) => {
  expect(typesOf([...eventSchemas, ...events])).toContain(event ?? path.replaceAll(' ', '-'))
})
