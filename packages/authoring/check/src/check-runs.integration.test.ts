import { defineCheck } from '@vid/kernel'
import { expect, test } from 'vitest'
import { compositionOf, useChecks } from './fixtures/projects.ts'
import { chooseRules, type RuleChoice } from './rules/choose-rules.ts'

const check = useChecks()

test('a text that is wrong for half a second is found with its time, place and line', async () => {
  const style = `#title { left: 60px; top: 120px; white-space: nowrap; animation: grow 2s steps(1) both }
    @keyframes grow { 50% { transform: translateX(420px) } 75% { transform: none } }`
  const { findings, ok } = await check({ 'index.html': compositionOf('\n<h1 id="title">A long title</h1>', { style }) })
  expect(findings.map(({ rule }) => rule)).toContain('text-cut')
  const [finding] = findings.filter(({ rule }) => rule === 'text-cut')
  expect(finding).toMatchObject({
    level: 'error',
    from: 1,
    to: 1.5,
    frames: [30, 45],
    where: { element: '#title', file: 'index.html', line: 4, box: expect.objectContaining({ y: expect.any(Number) }) },
    certainty: 'certain',
  })
  expect(ok).toBe(false)
}, 120_000)

test('contrast is that of the worst moment of a background that changes', async () => {
  const style = `#veil { inset: 0; background: #000; animation: day 2s steps(1) both }
    @keyframes day { 50% { background: #ddd } 75% { background: #000 } } #title { left: 60px; top: 120px }`
  const { findings } = await check({
    'index.html': compositionOf('<div id="veil"></div><p id="title">Night</p>', { style }),
  })
  const [finding] = findings.filter(({ rule }) => rule === 'contrast')
  expect(finding).toMatchObject({ from: 1, to: 1.5, where: { element: '#title' }, figures: { background: '#dddddd' } })
  expect(finding?.figures.ratio).toBeCloseTo(1.36, 1)
}, 120_000)

test('a finding that the page ignores with a reason is counted, and one without a reason is not ignored', async () => {
  const style = 'p { left: 60px; color: #234 } #one { top: 60px } #two { top: 200px }'
  const body = `<p id="one" data-check-ignore="contrast" data-check-reason="It is a watermark.">Quiet mark</p>
    <p id="two" data-check-ignore="contrast">Loud claim</p>`
  const { findings, ignored } = await check({ 'index.html': compositionOf(body, { style }) }, { only: ['contrast'] })
  expect(ignored).toBe(1)
  expect(findings).toHaveLength(1)
  expect(findings[0]).toMatchObject({
    where: { element: '#two' },
    hint: expect.stringContaining('data-check-ignore needs a reason'),
  })
}, 120_000)

test('a script that throws in a frame, a file that is missing and a lost picture are findings', async () => {
  const body = `<img id="logo" src="gone.png" width="80" height="80"><script>
    addEventListener('vid-seek', ({ detail }) => { if (detail.time > 1) throw new Error('lost count') })
    </script><p style="left: 60px; top: 100px">Here</p>`
  const { findings } = await check({ 'index.html': compositionOf(body) })
  const rules = findings.map(({ rule }) => rule)
  expect(rules).toContain('script-error')
  expect(rules).toContain('missing-file')
  expect(findings.find(({ rule }) => rule === 'missing-file')?.where.element).toBe('#logo')
}, 120_000)

test('a script that throws before the first frame is a finding, and no failure', async () => {
  const { findings, ok } = await check({ 'index.html': compositionOf('<script>noSuchFunction()</script>') })
  expect(ok).toBe(false)
  expect(findings.map(({ rule }) => rule)).toEqual(['script-error'])
}, 120_000)

test('levels and options of the config apply', async () => {
  const config = JSON.stringify({ check: { contrast: 'warning', 'text-small': { level: 'error', part: 0.2 } } })
  const style = '#title { left: 60px; top: 100px; color: #234 }'
  const { findings } = await check({
    'vid.config.json': config,
    'index.html': compositionOf('<p id="title">LOUD</p>', { style }),
  })
  const levels = Object.fromEntries(findings.map(({ rule, level }) => [rule, level]))
  expect(levels).toMatchObject({ contrast: 'warning', 'text-small': 'error' })
}, 120_000)

test('a rule with a name that another has, and one that there is not, are refused', () => {
  const brand = defineCheck({
    name: '@acme/vid-check-contrast',
    rule: 'contrast',
    level: 'note',
    what: 'Colours.',
    why: 'They matter.',
    hint: 'Change them.',
    check: () => [],
  })
  const choose = (choice: Partial<RuleChoice>) => () =>
    chooseRules({ checks: [], settings: {}, only: [], skip: [], ...choice })
  expect(choose({ checks: [brand()] })).toThrow('both have a check named "contrast"')
  expect(choose({ only: ['contrst'] })).toThrow('There is no check named "contrst".')
  expect(choose({ settings: { contrast: 'off' } })().map(({ plugin }) => plugin.rule)).not.toContain('contrast')
})

test('the longest values of variables are shown too', async () => {
  const html = compositionOf('<p id="name" data-var-text="name">Mia</p>', {
    style: '#name { left: 400px; top: 100px; width: 200px; overflow: hidden; white-space: nowrap }',
  }).replace(
    '<!doctype html>',
    `<!doctype html><html data-composition-variables='[{ "id": "name", "type": "string", "label": "Name", "default": "Mia", "maxLength": 40 }]'>`,
  )
  const plain = await check({ 'index.html': html }, { only: ['text-cut'] })
  expect(plain.findings).toEqual([])
  const { findings, runs } = await check({ 'index.html': html }, { only: ['text-cut'], extremes: true })
  expect(runs).toBeGreaterThan(2)
  expect(findings.map(({ variables }) => variables)).toContainEqual(expect.stringMatching(/^name = "Extraordinarily/))
}, 120_000)
