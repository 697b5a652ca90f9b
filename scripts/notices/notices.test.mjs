import { expect, test } from 'vitest'
import { isAllowed } from './allowed.mjs'
import { noticesText } from './text.mjs'

test.each(['MIT', '(MIT OR GPL-3.0)', 'MIT AND OFL-1.1', 'GPL-2.0 OR (MIT AND ISC)', 'GPL-2.0 AND ISC OR MIT'])(
  '%s is allowed',
  (expression) => expect(isAllowed(expression)).toBe(true),
)

test.each([
  'GPL-3.0',
  'MIT AND GPL-3.0',
  'no licence',
  '',
  'MIT OR',
  'SEE LICENSE IN MIT',
  '(MIT AND (GPL-2.0 OR LGPL-2.1))',
])('"%s" is not allowed', (expression) => expect(isAllowed(expression)).toBe(false))

test('a text that several works share is given once, with the copyright of each', () => {
  const work = (name) => ({
    name,
    version: '1.0.0',
    license: 'MIT',
    source: `https://example.com/${name}`,
    texts: [{ text: 'Permission is\ngranted.', copyright: [`Copyright ${name}`] }],
  })
  const text = noticesText('@vid/example', [
    { title: 'Libraries:', works: [work('one'), work('two')] },
    { title: 'Fonts:', works: [] },
  ])
  expect(text).toContain('- one 1.0.0 (MIT)\n  https://example.com/one\n- two 1.0.0 (MIT)')
  expect(text).toContain('one 1.0.0\n  Copyright one\ntwo 1.0.0\n  Copyright two\n\nPermission is\ngranted.')
  expect(text.match(/Permission/g)).toHaveLength(1)
  expect(text).not.toContain('Fonts')
})
