import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isVidError } from '@vid/protocol'
import { expect, test } from 'vitest'
import { type Chance, createChance, generatePage } from '../fixtures/generated.ts'
import { generateOperation } from '../fixtures/generated-operation.ts'
import { changedLines, edited, makeProject, page, TESTER } from '../fixtures/project.ts'
import { type EditSession, openEdit } from '../index.ts'

const anonymous = page(
  [0, 1, 2, 3].map((start) => `      <p data-start="${start}" data-duration="1">p${start}</p>`).join('\n'),
)

/** Opens a page, and the addresses of its clips. */
const openClips = async (html: string) => {
  const edit = await openEdit(await makeProject({ 'index.html': html }))
  const clips = (await edit.clips()).map(({ address }) => address)
  const textAfter = async (operations: readonly unknown[]) => {
    await edit.stage(operations, { who: TESTER })
    return textOf(edit)
  }
  return { edit, clips, textAfter }
}

const textOf = (edit: EditSession) => {
  const staged = edit.files().get('index.html')
  return staged?.kind === 'text' ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(staged.bytes) : ''
}

test('several clips without ids are removed, split and moved in one call, in any order', async () => {
  const { edit, clips, textAfter } = await openClips(anonymous)
  const [a, b, c, d] = clips
  const remove = (target: unknown) => ({ op: 'remove', target })
  expect(changedLines(anonymous, await textAfter([remove(b), remove(d)])).gone).toHaveLength(2)
  expect(textOf(edit)).toMatch(/p0[\s\S]*p2/)
  edit.discard()
  expect(changedLines(anonymous, await textAfter([remove(d), remove(a)])).gone).toEqual([
    '<p data-start="0" data-duration="1">p0</p>',
    '<p data-start="3" data-duration="1">p3</p>',
  ])
  edit.discard()
  const mixed = await textAfter([
    { op: 'split', target: a, at: 0.5 },
    { op: 'order', target: b, to: 'front' },
    { op: 'move', target: c, to: 4 },
    remove(d),
  ])
  expect(
    [...mixed.matchAll(/<p data-start="([\d.]+)" data-duration="([\d.]+)">(p\d)/g)].map(([, ...rest]) => rest),
  ).toEqual([
    ['0', '0.5', 'p0'],
    ['0.5', '0.5', 'p0'],
    ['4', '1', 'p2'],
    ['1', '1', 'p1'],
  ])
  expect(edit.steps()).toHaveLength(1)
})

test('distances count from the times before the call, also of clips that others take along', async () => {
  const html = page(`      <section id="a" data-start="1" data-duration="2">
        <p id="in" data-start="1.5" data-duration="1">x</p>
      </section>
      <p id="b" data-start="a + 0.5" data-duration="1">y</p>
      <p id="c" data-start="b" data-duration="1">z</p>`)
  const ids = ['c', 'in', 'b', 'a']
  for (const order of [ids, ids.toReversed()]) {
    const { edit } = await edited(
      html,
      order.map((id) => ({ op: 'move', target: `#${id}`, by: 0.25 })),
    )
    expect((await edit.clips()).map(({ id, start }) => [id, start])).toEqual([
      ['a', 1.25],
      ['in', 1.75],
      ['b', 3.75],
      ['c', 4.75],
    ])
  }
})

test('an id is that of before the call, and one that an operation gives may be used by those after it', async () => {
  const html = page('      <p id="a" data-start="0" data-duration="2">x</p>\n      <p id="b" data-start="2">y</p>')
  const swapped = await edited(html, [
    { op: 'set', target: '#a', name: 'id', value: 'c' },
    { op: 'text', target: '#a', text: 'was a' },
    { op: 'split', target: '#a', at: 1, id: 'second' },
    { op: 'text', target: '#second', text: 'new' },
  ])
  expect(swapped.html).toMatch(/<p id="c"[^>]*>was a<\/p>\n\s*<p id="second"[^>]*>new<\/p>/)
  const unnamed = edited(html, [
    { op: 'text', target: '#second', text: 'new' },
    { op: 'split', target: '#a', at: 1, id: 'second' },
  ])
  await expect(unnamed).rejects.toMatchObject({ code: 'VID_EDIT_NOT_FOUND' })
})

test('removing what another operation removes is no contradiction', async () => {
  const html = page(
    '      <section id="a" data-start="0"><p id="b" data-start="0">x</p></section>\n      <p id="c">y</p>',
  )
  const remove = (target: string) => ({ op: 'remove', target })
  for (const targets of [
    ['#a', '#b', '#c'],
    ['#b', '#c', '#a'],
    ['#c', '#a', '#a'],
  ])
    expect((await edited(html, targets.map(remove))).html).toBe(page('').replace('\n\n', '\n'))
})

const two = page(
  '      <p id="a" data-start="0" data-duration="2">x<br id="br">z</p>\n      <p id="b" data-start="0">y</p>',
)

test.each([
  [
    'a change of what another removes',
    [
      { op: 'remove', target: '#a' },
      { op: 'text', target: '#a', text: 'z' },
    ],
    'one removes <p id="a">, which the other changes',
  ],
  [
    'a change before its removal',
    [
      { op: 'move', target: '#a', by: 1 },
      { op: 'remove', target: '#a' },
    ],
    'one removes <p id="a">',
  ],
  [
    'two texts',
    [
      { op: 'text', target: '#a', text: '1' },
      { op: 'text', target: 'index.html#a', text: '2' },
    ],
    'Operation 1 and 2 cannot be made in one edit: both set the text of <p id="a">',
  ],
  [
    'an attribute and what it means',
    [
      { op: 'move', target: '#a', by: 1 },
      { op: 'set', target: '#a', name: 'DATA-START', value: '3' },
    ],
    'both set the start',
  ],
  [
    'a style twice',
    [
      { op: 'style', target: '#a', property: 'top', value: '1px' },
      { op: 'style', target: '#a', property: 'top', value: null },
    ],
    'both set the style "top"',
  ],
  [
    'two sizes',
    [
      { op: 'size', width: 1, height: 1 },
      { op: 'size', width: 2, height: 2 },
    ],
    'both set the size of the composition',
  ],
  [
    'a change of what a new text replaces',
    [
      { op: 'text', target: '#a', text: 'z' },
      { op: 'set', target: '#br', name: 'class', value: 'c' },
    ],
    'Operation 2 cannot be made in one edit: another one removes #br',
  ],
])('%s is a contradiction', async (_, operations, words) => {
  const edit = await openEdit(await makeProject({ 'index.html': two }))
  await expect(edit.stage(operations, { who: TESTER })).rejects.toMatchObject({
    code: 'VID_EDIT_CONTRADICTION',
    message: expect.stringContaining(words),
  })
  expect(edit.steps()).toEqual([])
})

/** Calls of several operations; npm run lab -- edit-pairs tries more. */
const CALLS = Math.max(30, Number(process.env.VID_EDIT_PAIRS ?? 0) / 20)

/** Operations on different clips of a page, each of which can be made alone; none moves what another one moves too. */
const operationsOn = async (
  edit: EditSession,
  generated: ReturnType<typeof generatePage>,
  chance: Chance,
  outside: string,
) => {
  const targets = new Set<unknown>()
  const operations: Readonly<Record<string, unknown>>[] = []
  for (let count = 0; count < 12 && operations.length < 4; count += 1) {
    const operation = generateOperation(generated, chance, outside)
    const { op, target } = operation
    if (!generated.clips.includes(String(target).slice(1)) || targets.has(target)) continue
    if (op === 'insert' || 'by' in operation) continue
    // Of two moves, that of a clip which takes the other along comes first.
    if (op === 'move' && operations.some((other) => other.op === 'move')) continue
    const isPossible = await edit.preview([operation]).then(
      () => true,
      () => false,
    )
    if (!isPossible) continue
    targets.add(target)
    operations.push(operation)
  }
  return operations
}

test('operations at places of one text make what they make one after the other by ids', {
  timeout: 1_800_000,
}, async () => {
  const outcomes = new Map<string, number>()
  const folder = await makeProject({ 'a.mp4': '', 'b.mp4': '' })
  const outside = join(await makeProject({ 'take.mp4': 'take' }), 'take.mp4')
  for (let seed = 1; seed <= CALLS; seed += 1) {
    const generated = generatePage(seed)
    await writeFile(join(folder, 'index.html'), generated.html)
    const edit = await openEdit(folder)
    const operations = await operationsOn(edit, generated, createChance(seed + 2_000_000), outside)
    if (operations.length < 2) continue
    const places = new Map((await edit.clips()).map(({ id, address }) => [`#${id}`, address]))
    const attempt = async (stage: () => Promise<unknown>) => {
      try {
        await stage()
        return textOf(edit)
      } catch (thrown) {
        if (!isVidError(thrown) || !thrown.code.startsWith('VID_EDIT_')) throw thrown
        return thrown.code
      } finally {
        edit.discard()
      }
    }
    const together = await attempt(() =>
      edit.stage(
        operations.map(({ target, ...rest }) => ({ ...rest, target: places.get(String(target)) ?? target })),
        { who: TESTER },
      ),
    )
    const single = await attempt(async () => {
      for (const operation of operations) await edit.stage([operation], { who: TESTER })
    })
    const isBroken = /^VID_EDIT_\w+$/
    const outcome = isBroken.test(together) ? together : isBroken.test(single) ? `alone ${single}` : 'equal'
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    if (outcome === 'equal') expect(together, `seed ${seed}, ${JSON.stringify(operations)}`).toBe(single)
  }
  expect(outcomes.get('equal')).toBeGreaterThan(CALLS / 3)
  console.info(Object.fromEntries(outcomes))
})
