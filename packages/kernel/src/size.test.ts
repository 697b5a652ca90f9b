import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the kernel has at most 450 lines of code', () => {
  const folder = new URL('.', import.meta.url)
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const code = sources
    .map((name) => readFileSync(new URL(name, folder), 'utf8').replace(/\/\*\*[\s\S]*?\*\//g, ''))
    .flatMap((text) => text.split('\n'))
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('//'))
  expect(sources.length).toBeGreaterThan(5)
  expect(code.length).toBeLessThanOrEqual(450)
})
