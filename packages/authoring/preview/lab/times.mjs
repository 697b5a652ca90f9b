// Measures the preview as a person meets it: from the command to the first picture in its page, and from saving a file to
// the new picture; medians. Needs a build.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { path } from '../../../../scripts/workspaces.mjs'
import { startBrowser } from './browser.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { times: { type: 'string', default: '5' } },
})
const [project = path('bench/compositions/tiny')] = positionals
const times = Number(values.times)

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** Starts the command; resolves to the address that it writes. */
const startPreview = async (folder) => {
  const command = spawn(process.execPath, [path('packages/engine/cli/bin/vid.js'), 'preview', folder, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(createInterface(command.stdout), 'line')
  return { url: JSON.parse(line).url, command }
}

/** Waits in the page until the player shows a picture of the files as they are now; the time of the machine's clock. */
const shownAt = (page, isNext) =>
  page.evaluate(
    (next) =>
      new Promise((resolve) => {
        const shown = () => requestAnimationFrame(() => requestAnimationFrame(() => resolve(Date.now())))
        const player = document.querySelector('vid-player')
        if (player.readyState === 4 && !next) shown()
        else player.addEventListener('canplaythrough', shown, { once: true })
      }),
    isNext,
  )

const browser = await startBrowser()
const folder = await mkdtemp(join(tmpdir(), 'vid-preview-times-'))
try {
  await cp(project, folder, { recursive: true })
  const index = join(folder, 'index.html')
  const text = await readFile(index, 'utf8')
  const measured = { address: [], picture: [], save: [] }
  for (let n = 0; n < times; n++) {
    const begun = Date.now()
    const { url, command } = await startPreview(folder)
    measured.address.push(Date.now() - begun)
    const page = await browser.newPage()
    await page.goto(url, { waitUntil: 'domcontentloaded' })
    // The address with the token leads on to the page.
    await page.waitForFunction(() => document.querySelector('vid-player'))
    measured.picture.push((await shownAt(page, false)) - begun)
    const next = shownAt(page, true)
    // The player has to be asked before the file is saved.
    await page.evaluate(() => true)
    const saved = Date.now()
    await writeFile(index, `${text}\n<!-- ${n} -->\n`)
    measured.save.push((await next) - saved)
    await page.close()
    command.kill('SIGINT')
    await once(command, 'exit')
  }
  console.log(`medians of ${times}, ${project}`)
  for (const [name, numbers] of Object.entries(measured))
    console.log(`${name}: ${median(numbers)} ms (${numbers.join(', ')})`)
} finally {
  await browser.close()
  await rm(folder, { recursive: true, force: true })
}
