import { expect, test } from 'vitest'
import { problemLine } from './problem-line.ts'

const finding = {
  code: 'lint/variables-json',
  severity: 'error',
  message: 'It is not JSON.',
  hint: '',
  file: 'index.html',
  line: 3,
  selector: null,
} as never

test('the problems of a result are counted in one line that names the first; others are no problems', () => {
  expect(problemLine([{ code: 'VID_SLOW', message: 'slow' }], [])).toBeUndefined()
  const failed = { code: 'VID_SCRIPT_ERROR', message: 'x is not\ndefined', severity: 'error' } as const
  const line = problemLine([{ code: 'VID_SLOW', message: 'slow' }, failed], [finding])
  expect(line).toMatch(/^the result may be wrong: 2 problems, the worst: VID_SCRIPT_ERROR: x is not/)
  expect(line).not.toContain('\n')
  expect(problemLine([], [finding])).toContain('1 problem, the worst: lint/variables-json (index.html:3)')
})
