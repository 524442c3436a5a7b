# falsum with the solvers that come as packages; results are kept in the volume /work:
#   docker build -t falsum .
#   docker run --rm -v "$PWD:/work" falsum fuzz --for 10m
FROM python:3.12-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
COPY . /source
# Extras: `docker build --build-arg 'EXTRAS=[cluster]' …` for docs/cluster.md.
ARG EXTRAS=
RUN python -m venv /falsum && /falsum/bin/pip install --no-cache-dir "/source$EXTRAS"

FROM python:3.12-slim
COPY --from=build /falsum /falsum
ENV PATH=/falsum/bin:$PATH FALSUM_ZOO=/home/falsum/zoo
RUN useradd --create-home --uid 1000 falsum
USER falsum
WORKDIR /work
ENTRYPOINT ["falsum"]
CMD ["--help"]
