// Makes the media of `examples/`: music and footage by program, the talk by the speech synthesizer flite (Debian: flite).
// Usage: npm run lab -- example-media [music] [scores] [lights] [talk]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFfmpeg } from '@vid/ffmpeg'
import { makeMusic } from './example-media/music.mjs'
import { scores } from './example-media/scores.mjs'
import { RATE, readWav, toWav } from './example-media/wav.mjs'
import { timeWords, toWebVtt } from './example-media/words.mjs'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const place = (path) => join(root, 'examples', path)
const { ffmpeg } = await findFfmpeg({ signal: new AbortController().signal })
const scratch = mkdtempSync(join(tmpdir(), 'example-media-'))
const encode = (input, output, ...args) =>
  execFileSync(ffmpeg, [
    '-v',
    'error',
    '-y',
    '-i',
    input,
    ...args,
    '-map_metadata',
    '-1',
    '-fflags',
    '+bitexact',
    '-flags:a',
    '+bitexact',
    place(output),
  ])

const PHRASES = [
  'The first program I wrote watered a plant.',
  'It checked the soil every hour, and mostly did nothing.',
  'That was the lesson.',
  'A good machine is one you forget about,',
  'because it does the same small thing,',
  'at the right time, for years.',
]

/** The same phrases for readers of other languages. */
const TRANSLATIONS = {
  de: [
    'Mein erstes Programm goss eine Pflanze.',
    'Es prüfte jede Stunde die Erde und tat meistens nichts.',
    'Das war die Lektion.',
    'Eine gute Maschine ist eine, die man vergisst,',
    'weil sie immer dieselbe kleine Sache tut,',
    'zur richtigen Zeit, über Jahre.',
  ],
  ar: [
    'أول برنامج كتبته كان يسقي نبتة.',
    'كان يفحص التربة كل ساعة، وفي الغالب لا يفعل شيئًا.',
    'كان ذلك هو الدرس.',
    'الآلة الجيدة هي التي تنساها،',
    'لأنها تفعل الشيء الصغير نفسه،',
    'في الوقت المناسب، لسنوات.',
  ],
}

const makers = {
  music() {
    const wav = join(scratch, 'music.wav')
    writeFileSync(wav, toWav(makeMusic(12)))
    encode(wav, 'product-teaser/assets/music.m4a', '-c:a', 'aac', '-b:a', '128k')
  },
  scores() {
    for (const [name, play] of Object.entries(scores)) {
      const wav = join(scratch, `${name}.wav`)
      writeFileSync(wav, toWav(play()))
      mkdirSync(place(`${name}/assets`), { recursive: true })
      encode(wav, `${name}/assets/music.m4a`, '-c:a', 'aac', '-b:a', '64k')
    }
  },
  lights() {
    const video = join(scratch, 'lights.mp4')
    execFileSync(process.execPath, [
      join(root, 'packages/engine/cli/bin/vid.js'),
      'render',
      join(root, 'packages/engine/cli/lab/example-media/footage'),
      '--output',
      video,
      '--fps',
      '30',
    ])
    encode(
      video,
      'product-teaser/assets/lights.mp4',
      ...'-an -c:v libx264 -crf 27 -preset veryslow -pix_fmt yuv420p -movflags +faststart'.split(' '),
    )
  },
  talk() {
    const spoken = PHRASES.map((text, n) => {
      const wav = join(scratch, `${n}.wav`)
      execFileSync('flite', ['-voice', 'slt', '--setf', 'duration_stretch=1.06', '-t', text, '-o', wav])
      return { text, samples: readWav(readFileSync(wav)) }
    })
    const { samples, talk } = timeWords(spoken)
    const wav = join(scratch, 'talk.wav')
    writeFileSync(wav, toWav([samples], RATE))
    encode(wav, 'captions/assets/talk.m4a', '-c:a', 'aac', '-b:a', '64k', '-ar', '44100')
    for (const [language, phrases] of Object.entries(TRANSLATIONS))
      writeFileSync(place(`captions/assets/talk.${language}.vtt`), toWebVtt(talk.phrases, phrases))
    writeFileSync(place('captions/assets/talk.en.vtt'), toWebVtt(talk.phrases))
    writeFileSync(
      place('captions/assets/loudness.js'),
      `// Made by example-media.mjs: how loud the talk is in each tenth of a second, from 0 to 1.\nwindow.loudness = ${JSON.stringify(talk.loudness)}\n`,
    )
  },
}

const names = process.argv.slice(2)
for (const [name, make] of Object.entries(makers)) if (names.length === 0 || names.includes(name)) make()
rmSync(scratch, { recursive: true })
