// What a container renders: the same bytes as this machine, in every format, by rows, with the config of the user.
import { mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { path } from '../../../../../scripts/workspaces.mjs'
import { compare } from './gallery.mjs'
import { containers, digestOf, must, page, vid, write } from './vid.mjs'

const rows = JSON.stringify(['Ada', 'Grace', 'Edsger'].map((name) => ({ name })))

export const renders = {
  ...Object.fromEntries(
    ['out.mov', 'out.webm', 'out.gif', 'frames'].map((name) => [
      `${name} has the same bytes in a container and here`,
      (places) =>
        compare(places, 'bench/compositions/tiny', name, ...(name === 'frames' ? ['--format', 'png-sequence'] : [])),
    ]),
  ),
  async 'a batch renders each row in a container, two at once, and the outputs belong to the caller'({ env, work }) {
    const folder = write(join(work, 'batch'), {
      'index.html': page('<p data-var-text="name"></p>').replace(
        '<html>',
        `<html data-composition-variables='[{"id":"name","type":"string","label":"Name","default":"nobody"}]'>`,
      ),
      'rows.json': rows,
    })
    const words = [
      'render',
      '.',
      '--batch',
      'rows.json',
      '-o',
      '../rows/{name}.mp4',
      '--docker',
      '--batch-concurrency',
      '2',
    ]
    const { code, stderr } = await vid(env, folder, ...words)
    must(code === 0, stderr.slice(-400))
    const facts = ['Ada', 'Grace', 'Edsger'].map((name) => statSync(join(work, 'rows', `${name}.mp4`)))
    must(
      facts.every(({ uid }) => uid === process.getuid()),
      'another user owns an output',
    )
    must(JSON.parse(readFileSync(join(work, 'rows', 'manifest.json'), 'utf8')).completed === 3, 'rows are missing')
    must(containers(env).length === 0, 'containers are left')
  },
  async 'the config of the user, with a plugin of its own, is used inside'({ env, work }) {
    const folder = write(join(work, 'config'), {
      'intro/index.html': page('<h1>vid</h1>'),
      'small.mjs': `export default { name: 'small', role: 'plugin', apiVersion: 1, options: {}, setup: (hooks) => hooks.plan.tap({ name: 'small', stage: 100 }, (plan) => ({ ...plan, frames: 7 })) }`,
      'vid.config.mjs': `import small from './small.mjs'\nexport default { plugins: [small], target: 'docker' }`,
    })
    const { code, stderr } = await vid(env, folder, 'render', 'intro', '-o', 'a.mp4')
    must(code === 0 && / 7 frames/.test(stderr), stderr.slice(-400))
  },
  async 'packages that links lead to are found inside: of a workspace, by npm link, of a store'({ env, work }) {
    const plugin = (name, needs = '') =>
      `${needs}export default { name: '${name}', role: 'plugin', apiVersion: 1, options: {}, setup: (hooks) => hooks.plan.tap({ name: '${name}', stage: 100 }, (plan) => ({ ...plan, frames: plan.frames - 1 })) }`
    const manifest = (name, dependencies = {}) =>
      JSON.stringify({ name, version: '1.0.0', type: 'module', exports: './main.js', dependencies })
    const folder = write(join(work, 'links'), {
      'app/intro/index.html': page('<h1>vid</h1>'),
      'app/vid.config.mjs': `import one from 'of-workspace'\nimport two from 'of-link'\nimport three from 'of-store'\nimport four from '../shared/four.mjs'\nexport default { plugins: [one, two, three, four], target: 'docker' }`,
      'packages/one/package.json': manifest('of-workspace', { 'of-one': '1' }),
      'packages/one/main.js': plugin('one', "import 'of-one'\n"),
      'node_modules/of-one/package.json': manifest('of-one'),
      'node_modules/of-one/main.js': '',
      '../elsewhere/two/package.json': manifest('of-link'),
      '../elsewhere/two/main.js': plugin('two'),
      'store/three@1/node_modules/of-store/package.json': manifest('of-store'),
      'store/three@1/node_modules/of-store/main.js': plugin('three'),
      'shared/four.mjs': plugin('four'),
      'app/node_modules/.keep': '',
    })
    symlinkSync('../packages/one', join(folder, 'node_modules/of-workspace'))
    mkdirSync(join(work, 'global'))
    symlinkSync(join(work, 'elsewhere/two'), join(work, 'global/two'))
    symlinkSync(join(work, 'global/two'), join(folder, 'app/node_modules/of-link'))
    symlinkSync('../../store/three@1/node_modules/of-store', join(folder, 'app/node_modules/of-store'))
    const { code, stderr } = await vid(env, join(folder, 'app'), 'render', 'intro', '-o', 'a.mp4')
    must(code === 0 && / 26 frames/.test(stderr), stderr.slice(-600))
  },
  async 'a library and a font that are installed beside vid are found inside'({ env, work }) {
    const folder = write(join(work, 'beside'), {
      'index.html': page(
        `<p style="font: 60px Anton, serif">vid</p><script>window.__timelines = { main: gsap.timeline({ paused: true }).to('p', { x: 200, duration: 1 }) }</script>`,
        1,
        '<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script><link rel="stylesheet" href="https://fonts.googleapis.com/css2?family=Anton">',
      ),
    })
    const digests = []
    for (const flags of [['--docker'], ['--no-cache', '--raster', 'portable']]) {
      const words = ['render', '.', '--strict', '-o', `../beside-${digests.length}.mp4`, ...flags]
      const { code, stderr } = await vid(env, folder, ...words)
      must(code === 0, stderr.slice(-600))
      digests.push(digestOf(join(work, `beside-${digests.length}.mp4`)))
    }
    must(digests[0] === digests[1], 'the bytes differ')
  },
  async 'finished segments are kept where they are wanted, and reused'({ env, work }) {
    const folder = write(join(work, 'kept'), {
      'index.html': page('<h1>vid</h1>'),
      'node_modules/.keep': '',
      'vid.config.mjs': `import docker from '${path('plugins/target-docker/dist/index.js')}'\nexport default { targets: { box: docker({ cache: true, mounts: ['${path('').replace(/\/$/, '')}'] }) }, target: 'box' }`,
    })
    const first = await vid(env, folder, 'render', '.', '-o', '../kept-1.mp4')
    const second = await vid(env, folder, 'render', '.', '-o', '../kept-2.mp4')
    must(first.code === 0 && second.code === 0, (first.stderr + second.stderr).slice(-500))
    must(/segments reused/.test(second.stderr), `nothing was reused: ${second.stderr}`)
    must(digestOf(join(work, 'kept-1.mp4')) === digestOf(join(work, 'kept-2.mp4')), 'the bytes differ')
  },
}
