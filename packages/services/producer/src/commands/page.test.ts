import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { producerOptions } from './options.ts'

const page = readFileSync(new URL('../../../../../docs/producer.md', import.meta.url), 'utf8')

test('the page about the render server explains every flag, and no other', () => {
  const [, table = ''] = page.split('\n## Flags\n')
  const explained = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (`--.*?) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`--([a-z-]+)`/g)].map(([, name]) => name),
  )
  const flags = Object.keys(producerOptions).filter((name) => name !== 'json')
  expect(explained.sort()).toEqual(flags.sort())
})

test('the commands on the page have flags that exist, and the times of its units fit together', () => {
  const blocks = [...page.matchAll(/```(?:sh|ini|dockerfile)\n(.*?)```/gs)].map(([, text = '']) => text)
  const lines = blocks.flatMap((text) => text.split('\n')).filter((line) => /vid"?,? "?producer/.test(line))
  expect(lines.length).toBeGreaterThan(2)
  const used = lines.flatMap((line) => [...line.matchAll(/--([a-z-]+)/g)].map(([, name]) => name))
  expect(used.filter((name) => name !== 'env-file' && !Object.hasOwn(producerOptions, name ?? ''))).toEqual([])
  const secondsOf = (name: RegExp) => Number(name.exec(page)?.[1])
  expect(secondsOf(/TimeoutStopSec=(\d+)/)).toBeGreaterThan(secondsOf(/--drain-timeout (\d+)/))
  expect(secondsOf(/--stop-timeout (\d+)/)).toBeGreaterThan(secondsOf(/"--drain-timeout", "(\d+)"/))
})
