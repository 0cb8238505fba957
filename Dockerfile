# docker build -t fem-clearance .   The same packages as on a bare Debian machine (README).
FROM python:3.12-slim-bookworm

RUN apt-get update && apt-get install -y --no-install-recommends \
        gcc libc6-dev libgl1 libegl1 libgl1-mesa-dri libxrender1 libxcursor1 \
        libglu1-mesa libxft2 libxinerama1 libxfixes3 libfontconfig1 \
    && rm -rf /var/lib/apt/lists/*
COPY . /opt/fem_clearance
RUN pip install --no-cache-dir '/opt/fem_clearance[wheels,meshes]'
ENV OMP_NUM_THREADS=1 MPLBACKEND=Agg
WORKDIR /data
ENTRYPOINT ["fem-clearance"]
