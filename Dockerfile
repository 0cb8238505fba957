# docker build -t fem-clearance .   The same packages as on a bare Debian machine (README).
FROM python:3.12-slim-bookworm

COPY . /opt/fem_clearance
RUN apt-get update \
    && apt-get install -y --no-install-recommends $(cat /opt/fem_clearance/.ci/packages) \
    && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir '/opt/fem_clearance[wheels,meshes]'
ENV OMP_NUM_THREADS=1 MPLBACKEND=Agg
WORKDIR /data
ENTRYPOINT ["fem-clearance"]
