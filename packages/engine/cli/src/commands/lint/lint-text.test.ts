import type { Finding } from '@vid/render'
import { expect, test } from 'vitest'
import { findingsText } from './lint-text.ts'

const finding = (line: number, more: Partial<Finding> = {}): Finding => ({
  code: 'lint/nested-missing',
  severity: 'error',
  message: 'there is no card.html',
  file: 'index.html',
  line,
  selector: `#host${line}`,
  hint: 'Write its path.',
  ...more,
})

test('what is wrong at several places of a file is said once, with their lines', () => {
  const other = finding(7, { message: 'there is no cart.html', selector: null })
  expect(findingsText([finding(3), other, finding(12), finding(12)])).toBe(`index.html
   3  error    there is no card.html  [lint/nested-missing]
      at: #host3
      also in line 12
      hint: Write its path.
   7  error    there is no cart.html  [lint/nested-missing]
      hint: Write its path.`)
})

test('at most ten lines are listed, and each file says its own', () => {
  const many = Array.from({ length: 13 }, (_, index) => finding(index + 1))
  const text = findingsText([...many, finding(1, { file: 'card.html' })])
  expect(text.match(/also in.*/g)).toEqual(['also in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more'])
  expect(text.match(/\[lint/g)).toHaveLength(2)
})
