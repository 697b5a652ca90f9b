import { expect, test } from 'vitest'
import { brief, lint, root } from '../fixtures/project.ts'

test('<html> and a template that name the composition of a file are no compositions beside it', async () => {
  const card =
    '<html data-composition-id="card"><body><template data-composition-id="card"><div data-composition-id="card"><p>x</p></div></template></body></html>'
  const host = '<div data-composition-id="a" data-composition-src="card.html" data-start="0" data-duration="2"></div>'
  const findings = await lint({
    'index.html': `<html data-composition-id="main"><body>${root(host)}</body></html>`,
    'card.html': card,
  })
  expect(brief(findings)).toEqual([])
})

test('a canvas with a name before the root is beside it', async () => {
  const html = `<canvas data-composition-id="film"></canvas>${root('<p>x</p>')}`
  expect(brief(await lint({ 'index.html': html }))).toEqual(['index.html:1 second-root'])
})
