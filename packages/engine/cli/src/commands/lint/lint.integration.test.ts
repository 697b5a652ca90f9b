import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createPaint } from '@vid/command'
import type { Finding } from '@vid/render'
import { expect, test } from 'vitest'
import { eventsOf, makeFolder, page, paint, vid } from '../../fixtures/project.ts'
import { findingsText } from './lint-text.ts'

const withBody = (body: string) => page.replace('></div>', `>${body}</div>`)
const warned = withBody('\n<p style="font-family: Lost">x</p>')
const broken = withBody('\n<img id="logo" src="gone.png">\n<p style="font-family: Lost">x</p>')
const project = (html: string) => makeFolder({ 'vid.config.mjs': paint, 'intro/index.html': html })

test('a composition without findings is reported as such and exits with 0', async () => {
  expect(await vid(await makeFolder(), 'lint', 'intro')).toEqual({
    code: 0,
    stdout: '',
    stderr: 'nothing found\n',
  })
})

test('findings are on stdout by file, with line, code, place and hint; errors end with 1', async () => {
  const { code, stdout, stderr } = await vid(await project(broken), 'lint', 'intro')
  expect(code).toBe(1)
  expect(stderr).toBe('1 error, 1 warning\n')
  expect(stdout).toBe(
    [
      'index.html',
      '  8  error    "gone.png" refers to the file "gone.png", which does not exist.  [lint/missing-asset]',
      '     at: #logo',
      '     hint: Correct the path or add the file; symbolic links that leave the project are not followed.',
      '  9  warning  The font family "Lost" is neither bundled nor declared.  [lint/unknown-font]',
      '     at: p',
      '     hint: Declare it with @font-face and a project file, or use a bundled family.',
      '',
    ].join('\n'),
  )
})

test('--json is one object with all findings', async () => {
  const { code, stdout, stderr } = await vid(await project(broken), 'lint', 'intro', '--json')
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
  expect(eventsOf(stdout)[0]).toMatchObject({
    type: 'lint',
    ok: false,
    errors: 1,
    warnings: 1,
    findings: [
      {
        code: 'lint/missing-asset',
        severity: 'error',
        file: 'index.html',
        line: 8,
        selector: '#logo',
        message: expect.any(String),
        hint: expect.any(String),
      },
      { code: 'lint/unknown-font' },
    ],
  })
})

test('warnings exit with 0, or with 1 under --strict; --quiet prints only errors', async () => {
  const folder = await project(warned)
  expect(await vid(folder, 'lint', 'intro')).toMatchObject({ code: 0, stderr: '1 warning\n' })
  expect(await vid(folder, 'lint', 'intro', '--strict')).toMatchObject({ code: 1 })
  expect(await vid(folder, 'lint', 'intro', '--quiet')).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('the bundled fonts and their aliases are known', async () => {
  const families = 'Inter, "Helvetica Neue", system-ui, Georgia, JetBrains Mono, monospace, emoji'
  const folder = await project(withBody(`<p style='font-family: ${families}'>x</p>`))
  expect(await vid(folder, 'lint', 'intro')).toMatchObject({ code: 0, stdout: '' })
})

test('--format and --composition select what is linted', async () => {
  const folder = await makeFolder({ 'intro/b.html': page.replace('<body>', '<body style="background:red">') })
  expect(await vid(folder, 'lint', 'intro', '-c', 'b.html')).toMatchObject({ code: 0, stdout: '' })
  const { stdout } = await vid(folder, 'lint', 'intro', '-c', 'b.html', '--format', 'webm')
  expect(stdout).toMatch(/^b\.html\n.*\[lint\/page-background\]/)
})

test('a folder without a composition is an error of its own', async () => {
  const { code, stdout, stderr } = await vid(await makeFolder(), 'lint', 'absent', '--json')
  expect(code).toBe(2)
  expect(eventsOf(stdout)[0]).toMatchObject({ type: 'lint-error', error: { code: 'VID_PROJECT_MISSING' } })
  expect(stderr).toContain('error VID_PROJECT_MISSING: ')
})

test('text of a composition cannot send control sequences to the terminal', async () => {
  const { stdout } = await vid(await project(withBody('<img src="\u001b[31mx\u0007">')), 'lint', 'intro')
  expect(stdout).toContain('lint/missing-asset')
  expect(stdout).not.toContain('\u001b')
  expect(stdout).not.toContain('\u0007')
})

test('a render summarises lint findings in one line and continues', async () => {
  const folder = await project(broken)
  const { code, stdout, stderr } = await vid(folder, 'render', 'intro')
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'renders/intro.mp4\n' })
  expect(stderr).toContain('\nlint: 1 error, 1 warning — vid lint intro shows them\n')
  expect(await vid(folder, 'render', 'intro', '--quiet')).toMatchObject({ stderr: '' })
})

test('render --strict stops on errors before anything is captured, and not on warnings', async () => {
  const folder = await project(broken)
  const { code, stdout, stderr } = await vid(folder, 'render', 'intro', '--strict')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^error VID_LINT_STRICT: .*lint\/missing-asset \(index\.html:8\) "gone\.png"/)
  expect(stderr).not.toContain('unknown-font')
  expect(await readdir(folder)).not.toContain('renders')
  const mild = await project(warned)
  expect(await vid(mild, 'render', 'intro', '--strict')).toMatchObject({ code: 0 })
  expect(await readdir(join(mild, 'renders'))).toEqual(['intro.mp4'])
})

test('a terminal gets colours by severity, and none with NO_COLOR', async () => {
  const [finding] = JSON.parse((await vid(await project(broken), 'lint', 'intro', '--json')).stdout)
    .findings as Finding[]
  const paint = (env: NodeJS.ProcessEnv) => createPaint({ isTTY: true }, env)
  const findings = finding ? [finding] : []
  expect(findingsText(findings, paint({}))).toContain('\u001b[31;1merror  \u001b[0m')
  expect(findingsText(findings, paint({ NO_COLOR: '1' }))).toBe(findingsText(findings))
})
