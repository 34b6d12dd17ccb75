# Sourced: the folder of the lab, on a disk that all of its hosts see.
lab=${GRIDMPJ_LAB:-/var/tmp/gridmpj-lab-$(id -u)}
