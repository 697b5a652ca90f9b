// What pages say in marked places: from a clone as long as no registry has the packages, and from the registry then.
// START stands for the path of docs/start.md from the page.

/** A Dockerfile for a render server. */
const imageOf = (...install) => `\`\`\`dockerfile
FROM node:22-slim
WORKDIR /opt/vid
${install.join('\n')} && useradd --create-home --home-dir /srv/vid vid
USER vid
WORKDIR /srv/vid
RUN mkdir compositions state
ENV PATH=/opt/vid/node_modules/.bin:$PATH
EXPOSE 9847
CMD ["vid", "producer", "--host", "0.0.0.0", "--root", "compositions", "--state", "state", "--drain-timeout", "60"]
\`\`\``

const beside = 'In a folder beside a clone of this repository, which is `../vid` ([how](START)):'

/** Both texts of each place, by the name in its mark. */
export const TEXTS = {
  beside: { clone: beside, registry: '' },
  start: {
    clone: `In a clone of this repository that is yours, in a folder \`vid\`, once [\`npm ci\`](../README.md#try-it) has run there:

\`\`\`sh
npx vid init ../my-film --template title
cd ../my-film && npm install
\`\`\`

The packages of vid are not on npm's registry yet. So \`npm install\` links the project to the clone, in a second and without a network; \`../vid\` below is that clone.`,
    registry: `\`\`\`sh
npx @vid/cli init my-film --template title
cd my-film && npm install
\`\`\``,
  },
  'readme-start': {
    clone: `\`\`\`sh
npx vid init ../my-film --template title
cd ../my-film && npm install && npx vid preview
\`\`\`

The packages are not on npm's registry yet: \`npm install\` links the project to your clone, and needs no network.`,
    registry: `\`\`\`sh
npx @vid/cli init my-film --template title
cd my-film && npm install && npx vid preview
\`\`\``,
  },
  import: {
    clone: `In a clone of this repository ([how](START)):

\`\`\`sh
npx vid import hyperframes ../old-video ../my-video
\`\`\`

copies the project into the new folder \`../my-video\`,`,
    registry: `\`\`\`sh
npx @vid/cli import hyperframes ../old-video ../my-video
\`\`\`

copies the project into the new folder \`../my-video\`,`,
  },
  'remotion-start': {
    clone: 'In a clone of this repository ([how](START)), `npx vid init ../my-video`',
    registry: '`npx @vid/cli init ../my-video`',
  },
  'producer-service': {
    clone: 'Clone this repository into `/opt/vid` and run `npm ci` there',
    registry: 'Install into a folder of its own (`npm install --prefix /opt/vid @vid/cli @vid/producer`)',
  },
  'producer-image': {
    clone: `In a clone of this repository:\n\n${imageOf('COPY . .', 'RUN npm ci')}`,
    registry: imageOf('RUN npm install --omit=dev @vid/cli @vid/producer'),
  },
  ci: {
    clone:
      'A project that is linked to a clone of this repository ([how](START)) needs the clone in the same place there: before `npm ci`, check it out beside the project, and run `npm ci` in it.',
    registry: '',
  },
}
