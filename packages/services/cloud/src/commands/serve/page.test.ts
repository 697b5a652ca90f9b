import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { serveOptions } from './options.ts'

const page = readFileSync(new URL('../../../../../../docs/cloud.md', import.meta.url), 'utf8')

test('the page about running the hosted API explains every flag, and no other', () => {
  const [, table = ''] = page.split('\n## Flags\n')
  const explained = [...(table.split('\n## ')[0] ?? '').matchAll(/^\| (`--.*?) +\|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`--([a-z-]+)`/g)].map(([, name]) => name),
  )
  const flags = Object.keys(serveOptions).filter((name) => name !== 'json')
  expect(explained.sort()).toEqual(flags.sort())
})

test('the commands on the page have flags that exist', () => {
  const blocks = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text)
  const lines = blocks.flatMap((text) => text.split('\n')).filter((line) => line.includes('cloud serve'))
  expect(lines.length).toBeGreaterThan(2)
  const used = lines.flatMap((line) => [...line.matchAll(/--([a-z-]+)/g)].map(([, name]) => name))
  expect(used.filter((name) => !Object.hasOwn(serveOptions, name ?? ''))).toEqual([])
})
