import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mergeTexts } from './merge.ts'
import { unifiedDiff } from './unified-diff.ts'

const folder = mkdtempSync(join(tmpdir(), 'vid-edit-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lines of a text, of which some were changed by numbers that follow from a seed. */
const altered = (lines: readonly string[], seed: number): string[] => {
  let state = seed
  const next = (limit: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * limit)
  }
  const result = [...lines]
  for (let count = next(6); count >= 0; count -= 1) {
    const at = next(result.length + 1)
    const kind = next(3)
    if (kind === 0) result.splice(at, 1)
    else if (kind === 1) result.splice(at, 0, `new ${next(4)}\n`)
    else result.splice(at, 1, `other ${next(4)}\r\n`)
  }
  return result
}

test('git applies every diff, and gets the new text to the byte', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index % 7}\n`)
  for (let seed = 1; seed <= 40; seed += 1) {
    const before = [...lines.slice(0, -1), seed % 3 === 0 ? 'last' : 'last\n'].join('')
    const after = altered(lines, seed).join('')
    writeFileSync(join(folder, 'a.html'), before)
    const diff = unifiedDiff('a.html', before, after)
    if (before === after) expect(diff).toBe('')
    else {
      execFileSync('git', ['apply', '--whitespace=nowarn', '-'], { cwd: folder, input: diff })
      expect(execFileSync('cat', ['a.html'], { cwd: folder, encoding: 'utf8' }), String(seed)).toBe(after)
    }
  }
})

test('changes of two writers are both made where they are apart', () => {
  const base = 'a\nb\nc\nd\ne\nf\n'
  expect(mergeTexts('x', base, 'A\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\ne\nF\nG\n')).toBe('A\nb\nc\nd\ne\nF\nG\n')
  expect(mergeTexts('x', base, 'a\nb\nd\ne\nf\n', `0\n${base}`)).toBe('0\na\nb\nd\ne\nf\n')
  expect(mergeTexts('x', base, base, 'z\n')).toBe('z\n')
})

test.each([
  ['the same line', 'a\nB\nc\n', 'a\nX\nc\n'],
  ['lines side by side', 'a\nB\nc\n', 'a\nb\nC\n'],
  ['a line that is gone', 'a\nB\nc\n', 'a\nc\n'],
])('changes of %s are a conflict with file and line', (_, ours, theirs) => {
  expect(() => mergeTexts('index.html', 'a\nb\nc\n', ours, theirs)).toThrow(
    expect.objectContaining({ code: 'VID_EDIT_CONFLICT', message: expect.stringContaining('index.html:') }),
  )
})

test('a text without anything in common is still merged or refused', () => {
  const one = Array.from({ length: 6000 }, (_, index) => `${index}\n`).join('')
  expect(() => mergeTexts('x', one, one.replaceAll('\n', ' a\n'), one.replaceAll('\n', ' b\n'))).toThrow('x:1')
})
